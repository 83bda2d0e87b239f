// Chooses the code for the GPU that the tensor is on.

#include "scale.h"

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/ops.h>

#include "../torch-ext/torch_binding.h"

bool uses_hopper(Tensor input) {
  int major = 0, minor = 0;
  STD_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, input.get_device_index()));
  STD_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, input.get_device_index()));
  return major == 9 && minor == 0;
}

Tensor scale(Tensor input, double factor) {
  STD_TORCH_CHECK(input.scalar_type() == torch::headeronly::ScalarType::Float, "scale: want float32, found ",
                  torch::headeronly::toString(input.scalar_type()));
  auto const device = input.get_device_index();
  torch::stable::accelerator::DeviceGuard const guard(device);
  Tensor const dense_input = torch::stable::contiguous(input);
  Tensor out = torch::stable::empty_like(dense_input);
  if (out.numel() == 0) {
    return out; // an empty grid is an error in CUDA
  }
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device, &stream));
  auto const launch = uses_hopper(input) ? scale_hopper : scale_portable;
  STD_CUDA_CHECK(launch(out.mutable_data_ptr<float>(), dense_input.const_data_ptr<float>(), out.numel(),
                        static_cast<float>(factor), static_cast<cudaStream_t>(stream)));
  return out;
}
