#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "registration.h"

using torch::headeronly::HeaderOnlyArrayRef;
using torch::stable::Tensor;

// Functions that have the types of their schemas.
namespace inner {
std::tuple<Tensor, Tensor> texts(const Tensor &x, std::optional<Tensor>, std::vector<Tensor>, std::string,
                                 std::string_view, torch::stable::Device) {
  return {x, x};
}
}  // namespace inner
static void lists(HeaderOnlyArrayRef<int64_t>, std::optional<std::vector<double>>, bool) {}
namespace {
Tensor kinds(Tensor x, torch::headeronly::ScalarType, std::optional<torch::headeronly::ScalarType>,
             torch::headeronly::Layout, torch::headeronly::MemoryFormat) {
  return x;
}
}  // namespace
template <typename T>
T scaled(T value) {
  return value;
}
static int64_t overloaded(int64_t value) { return value; }
static double overloaded(double value) { return value; }
void by_hand(StableIValue *, uint64_t, uint64_t) {}

// Functions that have not.
int64_t swapped(int64_t count, double) { return count; }
int64_t fewer(int64_t count) { return count; }
int64_t half(float) { return 0; }
Tensor required(Tensor x) { return x; }
double other_result(int64_t) { return 0; }
void no_list(std::vector<int64_t>) {}

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("texts(Tensor x, Tensor? y, Tensor[] z, str s, str v, Device d) -> (Tensor, Tensor)");
  ops.def("lists(int[2] x, float[]? y, bool z=True) -> ()");
  ops.def("kinds(Tensor x, ScalarType s, ScalarType? t, Layout l, MemoryFormat m) -> Tensor");
  ops.def("answer(float value) -> float");
  ops.def("overloaded(SymInt value) -> int");
  ops.def("overloaded.float(float value) -> float");
  ops.def("by_hand(Tensor x) -> Tensor");
  ops.def("swapped(float scale, int count) -> int");
  ops.def("fewer(int count, int more) -> int");
  ops.def("half(float value) -> int");
  ops.def("required(Tensor? x) -> Tensor");
  ops.def("other_result(int value) -> int");
  ops.def("no_list(float[] values) -> ()");
  ops.impl("answer", TORCH_BOX(&scaled<double>));
}

STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CompositeExplicitAutograd, ops) {
  ops.impl("texts", TORCH_BOX(&inner::texts));
  ops.impl("lists", TORCH_BOX(&lists));
  ops.impl("kinds", TORCH_BOX(&kinds));
  ops.impl("overloaded", TORCH_BOX(static_cast<int64_t (*)(int64_t)>(&overloaded)));
  ops.impl("overloaded.float", TORCH_BOX(static_cast<double (*)(double)>(&overloaded)));
  ops.impl("by_hand", &by_hand);
  ops.impl("swapped", TORCH_BOX(&swapped));
  ops.impl("fewer", TORCH_BOX(&fewer));
  ops.impl("half", TORCH_BOX(&half));
  ops.impl("required", TORCH_BOX(&required));
  ops.impl("other_result", TORCH_BOX(&other_result));
  ops.impl("no_list", TORCH_BOX(&no_list));
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
