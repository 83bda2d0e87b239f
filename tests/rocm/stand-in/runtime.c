// A stand-in for HIP's runtime: a machine with the GPUs that STAND_IN_GPUS lists ("gfx942:sramecc+:xnack-,gfx1100"), whose
// launches return what a test asks for. A stream is the number of its GPU, plus one.
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static hipError_t launch_status, last_error;
static int current, launches;

void stand_in_set(int device, int status) {
  current = device;
  launch_status = status;
}
int stand_in_launches(void) { return launches; }

static hipError_t done(hipError_t status) {
  launches++;
  if (status) last_error = status;
  return status;
}

hipError_t hipGetLastError(void) {
  hipError_t const error = last_error;
  last_error = hipSuccess;
  return error;
}
const char *hipGetErrorName(hipError_t status) {
  switch (status) {
  case hipErrorNoBinaryForGpu: return "hipErrorNoBinaryForGpu";
  case hipErrorInvalidDeviceFunction: return "hipErrorInvalidDeviceFunction";
  case hipErrorInvalidImage: return "hipErrorInvalidImage";
  case hipErrorInvalidKernelFile: return "hipErrorInvalidKernelFile";
  default: return "another error";
  }
}
const char *hipGetErrorString(hipError_t status) { return "its text"; }
hipError_t hipGetDevice(int *device) { return *device = current, hipSuccess; }
hipError_t hipGetDeviceCount(int *count) {
  *count = 1;
  for (const char *gpu = getenv("STAND_IN_GPUS"); (gpu = strchr(gpu, ',')); gpu++) ++*count;
  return hipSuccess;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  const char *gpu = getenv("STAND_IN_GPUS");
  memset(properties, 0, sizeof *properties);
  strcpy(properties->name, "AMD Stand-in");
  while (device--) gpu = strchr(gpu, ',') + 1;
  strncpy(properties->gcnArchName, gpu, strcspn(gpu, ","));
  return hipSuccess;
}
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  *device = stream ? (int)(intptr_t)stream - 1 : current;
  return hipSuccess;
}

static struct {
  dim3 grid, block;
  size_t memory;
  hipStream_t stream;
} configuration;

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t memory, hipStream_t stream) {
  configuration.grid = grid, configuration.block = block;
  configuration.memory = memory, configuration.stream = stream;
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *memory, hipStream_t *stream) {
  *grid = configuration.grid, *block = configuration.block;
  *memory = configuration.memory, *stream = configuration.stream;
  return hipSuccess;
}
void **__hipRegisterFatBinary(const void *data) { return malloc(1); }
void __hipRegisterFunction(void **module, const void *function, char *device_function, const char *name, unsigned limit,
                           void *thread, void *block, void *block_size, void *grid_size, int *wave_size) {}
void __hipUnregisterFatBinary(void **module) { free(module); }

#define LAUNCH(NAME, SIZE)                                                                                             \
  hipError_t NAME(const void *kernel, dim3 grid, dim3 block, void **arguments, SIZE memory, hipStream_t stream) {      \
    return done(launch_status);                                                                                        \
  }
LAUNCH(hipLaunchKernel, size_t)
LAUNCH(hipLaunchKernel_spt, size_t)
LAUNCH(hipLaunchCooperativeKernel, unsigned)
LAUNCH(hipLaunchCooperativeKernel_spt, unsigned)
hipError_t hipExtLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t memory,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags) {
  return done(launch_status);
}
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *launch, const void *kernel, void **arguments) {
  return done(launch_status);
}
hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value) { return done(launch_status); }
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *kernel) { return done(launch_status); }
