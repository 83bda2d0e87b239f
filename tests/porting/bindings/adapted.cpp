// Functions with types that Torch does not pass. The compile of a draft's binding says whether it can call them.
#include <torch/extension.h>

#include "registration_types.h"
at::Tensor scaled(std::optional<const at::Tensor> x, float by);
std::optional<at::Tensor> passed;
const auto adapted = porting::adapt(&scaled);
// A value that Torch makes of an argument has no const.
static_assert(std::is_same_v<decltype(passed), porting::Type<std::optional<const at::Tensor>>::Argument>);

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scaled", [](std::optional<at::Tensor> x, double by) { return adapted(x, by); });
}
