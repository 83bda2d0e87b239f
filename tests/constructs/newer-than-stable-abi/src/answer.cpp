#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

int64_t answer() {
  auto x = torch::stable::empty({1}, torch::headeronly::ScalarType::Float);
  auto y = torch::stable::from_blob(x.mutable_data_ptr(), {1}, {1}, x.device(), x.scalar_type(), [](void *) {});
  return y.numel();
}
