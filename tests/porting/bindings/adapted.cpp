// Functions with types that Torch does not pass. The compile of a draft's binding says whether it can call them.
#include <torch/extension.h>

#include "registration_types.h"
at::Tensor scaled(std::optional<const at::Tensor> x, float by);
std::optional<at::Tensor> passed;
const auto adapted = porting::adapt(&scaled);
const auto listed = porting::adapt(+[](std::array<bool, 1> x) { return std::vector<bool>{x[0]}; });
bool refuses(int64_t x) try { return porting::adapt(+[](int y) { return y; })(x) != x; } catch (...) { return true; }
// A value that Torch makes of an argument has no const.
static_assert(std::is_same_v<decltype(passed), porting::Type<std::optional<const at::Tensor>>::Argument>);

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  if (!refuses(1L << 40) || refuses(-1) || !listed(c10::List<bool>({true})).get(0)) m.def("wrong", &refuses);
  m.def("scaled", [](std::optional<at::Tensor> x, double by) { return adapted(x, by); });
}
