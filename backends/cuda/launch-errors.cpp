// Launches on a GPU that a kernel has no code for raise an error. See launch_errors.h.

#include <cuda_runtime_api.h>

#include "launch_errors.h"

extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_memory, void *stream);

namespace {

// Any other status, such as that of an invalid grid, is for the caller.
bool has_no_code(cudaError_t status) {
  return status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction ||
         status == cudaErrorUnsupportedPtxVersion;
}

[[noreturn, gnu::cold]] void raise(cudaError_t status) {
  // Torch would report the error at its own next launch.
  cudaGetLastError();
  int device = 0;
  int driver = 0;
  cudaDeviceProp properties = {};
  cudaGetDevice(&device);
  cudaDriverGetVersion(&driver);
  cudaGetDeviceProperties(&properties, device);

  char capability[32];
  char want[256];
  std::snprintf(capability, sizeof capability, "%d.%d", properties.major, properties.minor);
  bool const is_driver = status == cudaErrorUnsupportedPtxVersion;
  if (is_driver) {
    std::snprintf(want, sizeof want, "a driver for CUDA %d.%d or newer, to compile the PTX (this one is for CUDA %d.%d), or code for %s",
                  CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, driver / 1000, driver % 1000 / 10, capability);
  } else {
    std::snprintf(want, sizeof want, "\"%s\" in %s, or \"+PTX\" at an older capability there", capability,
                  kernel_builder_targets_key);
  }
  kernel_builder::raise({
      "cuda",
      device,
      properties.name,
      "capability",
      capability,
      cudaGetErrorName(status),
      cudaGetErrorString(status),
      want,
      is_driver ? "update the driver, or add the capability to build.toml and build again"
                : kernel_builder::add_target,
  });
}

[[gnu::cold, gnu::noinline]] void check_launch(cudaError_t status) {
  if (has_no_code(status)) raise(status);
}

// A compiled launch asks for its kernel once, between push and pop of its configuration, and keeps even a failed answer. An exception
// makes the next launch ask again.
[[gnu::cold, gnu::noinline]] void check_kernel(cudaError_t status) {
  if (!has_no_code(status)) return;
  dim3 grid, block;
  size_t shared_memory;
  cudaStream_t stream;
  __cudaPopCallConfiguration(&grid, &block, &shared_memory, &stream);
  raise(status);
}

} // namespace

#define WRAP(CHECK, NAME, PARAMETERS, ARGUMENTS)                                                                       \
  KERNEL_BUILDER_WRAP(cudaError_t, CHECK, NAME, PARAMETERS, ARGUMENTS)
#define WRAP_LAUNCH(NAME)                                                                                              \
  WRAP(check_launch, NAME,                                                                                             \
       (void const *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_memory, cudaStream_t stream),       \
       (kernel, grid, block, arguments, shared_memory, stream))
#define WRAP_CONFIGURED(NAME)                                                                                          \
  WRAP(check_launch, NAME, (void const *configuration, void const *kernel, void **arguments),                          \
       (configuration, kernel, arguments))

// The functions of `launches` in backends/cuda/default.nix. Compiled `kernel<<<…>>>` calls the first three,
// and cudaLaunchKernel before CUDA 13.
WRAP(check_kernel, __cudaGetKernel, (void *kernel, void const *function), (kernel, function))
WRAP_LAUNCH(__cudaLaunchKernel)
WRAP_LAUNCH(__cudaLaunchKernel_ptsz)
#undef cudaLaunchKernel
#undef cudaLaunchKernelExC
#undef cudaLaunchCooperativeKernel
WRAP_LAUNCH(cudaLaunchKernel)
WRAP_LAUNCH(cudaLaunchKernel_ptsz)
WRAP_LAUNCH(cudaLaunchCooperativeKernel)
WRAP_LAUNCH(cudaLaunchCooperativeKernel_ptsz)
WRAP_CONFIGURED(cudaLaunchKernelExC)
WRAP_CONFIGURED(cudaLaunchKernelExC_ptsz)
WRAP(check_launch, cudaFuncSetAttribute, (void const *kernel, int attribute, int value), (kernel, attribute, value))
