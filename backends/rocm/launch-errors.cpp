// Launches on a GPU that a kernel has no code for raise an error. See launch_errors.h. Some releases of HIP crash in such
// a launch, so the GPU is compared with the targets before the call (docs/decisions/launch-errors.md).

#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

#include <cstring>

#include "launch_errors.h"

namespace {

// Any other status, such as that of an invalid grid, is for the caller.
bool has_no_code(hipError_t status) {
  return status == hipErrorNoBinaryForGpu || status == hipErrorInvalidDeviceFunction || status == hipErrorInvalidImage ||
         status == hipErrorInvalidKernelFile;
}

hipDeviceProp_t read_gpu(int device) {
  hipDeviceProp_t gpu = {};
  static_cast<void>(hipGetDeviceProperties(&gpu, device));
  // The name is "gfx942:sramecc+:xnack-", and rocm-archs has "gfx942".
  gpu.gcnArchName[std::strcspn(gpu.gcnArchName, ":")] = 0;
  return gpu;
}

[[noreturn, gnu::cold]] void raise(hipError_t status, int device) {
  // Torch would report the error at its own next launch.
  static_cast<void>(hipGetLastError());
  hipDeviceProp_t const gpu = read_gpu(device);
  char want[300];
  std::snprintf(want, sizeof want, "\"%s\" in %s", gpu.gcnArchName, kernel_builder_targets_key);
  kernel_builder::raise({
      // Torch's name for AMD GPUs, too.
      "cuda",
      device,
      gpu.name,
      "architecture",
      gpu.gcnArchName,
      hipGetErrorName(status),
      hipGetErrorString(status),
      want,
      kernel_builder::add_target,
  });
}

// Whether any component has code for the architecture, or HIP does not tell it. The text is "gfx90a, gfx942", or
// "first: gfx90a; second: gfx942".
bool is_target(char const *architecture) {
  std::size_t const length = std::strlen(architecture);
  if (length == 0) return true;
  char const *const targets = kernel_builder_targets;
  for (char const *found = targets; (found = std::strstr(found, architecture)) != nullptr; found += length) {
    char const next = found[length];
    if ((found == targets || found[-1] == ' ') && (next == 0 || next == ',' || next == ';')) return true;
  }
  return false;
}

// The machine's GPUs, which the first launch reads.
struct Gpus {
  bool all_have_code = true;
  bool lacks_code[64] = {};

  Gpus() {
    int count = 0;
    static_cast<void>(hipGetDeviceCount(&count));
    for (int device = 0; device < count && device < 64; device++) {
      lacks_code[device] = !is_target(read_gpu(device).gcnArchName);
      all_have_code = all_have_code && !lacks_code[device];
    }
  }
};

[[gnu::cold, gnu::noinline]] void check_stream(Gpus const &gpus, hipStream_t stream) {
  hipDevice_t device = 0;
  if (hipStreamGetDevice(stream, &device) != hipSuccess) return;
  if (device >= 0 && device < 64 && gpus.lacks_code[device]) raise(hipErrorNoBinaryForGpu, device);
}

void check_gpu(hipStream_t stream) {
  static Gpus const gpus;
  if (__builtin_expect(!gpus.all_have_code, 0)) check_stream(gpus, stream);
}

[[gnu::cold, gnu::noinline]] void check_launch(hipError_t status) {
  if (!has_no_code(status)) return;
  int device = 0;
  static_cast<void>(hipGetDevice(&device));
  raise(status, device);
}

} // namespace

#define WRAP(STREAM, NAME, PARAMETERS, ARGUMENTS)                                                                      \
  KERNEL_BUILDER_WRAP(hipError_t, check_gpu(STREAM), check_launch, NAME, PARAMETERS, ARGUMENTS)
#define WRAP_LAUNCH(NAME, SIZE)                                                                                        \
  WRAP(stream, NAME,                                                                                                   \
       (void const *kernel, dim3 grid, dim3 block, void **arguments, SIZE shared_memory, hipStream_t stream),          \
       (kernel, grid, block, arguments, shared_memory, stream))

// The functions of `launches` in backends/rocm/default.nix. Compiled `kernel<<<…>>>` calls the first, or the second
// with -fgpu-default-stream=per-thread.
WRAP_LAUNCH(hipLaunchKernel, std::size_t)
WRAP_LAUNCH(hipLaunchKernel_spt, std::size_t)
WRAP_LAUNCH(hipLaunchCooperativeKernel, unsigned)
WRAP_LAUNCH(hipLaunchCooperativeKernel_spt, unsigned)
WRAP(stream, hipExtLaunchKernel,
     (void const *kernel, dim3 grid, dim3 block, void **arguments, std::size_t shared_memory, hipStream_t stream,
      hipEvent_t start, hipEvent_t stop, int flags),
     (kernel, grid, block, arguments, shared_memory, stream, start, stop, flags))
#if HIP_VERSION_MAJOR >= 7
WRAP(configuration ? configuration->stream : nullptr, hipLaunchKernelExC,
     (hipLaunchConfig_t const *configuration, void const *kernel, void **arguments), (configuration, kernel, arguments))
#endif
WRAP(nullptr, hipFuncSetAttribute, (void const *kernel, hipFuncAttribute attribute, int value),
     (kernel, attribute, value))
