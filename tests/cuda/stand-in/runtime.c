// A stand-in for the functions of CUDA's runtime that a launch calls: a machine with one GPU, whose launches return what a test
// asks for. It is preloaded, so the real runtime beside it serves everything else.
#include <driver_types.h>
#include <string.h>

static int launch_status, kernel_status, last_error, configurations;

void stand_in_set(int launch, int kernel) {
  launch_status = launch;
  kernel_status = kernel;
}
int stand_in_configurations(void) { return configurations; }

static int done(int status) {
  if (status) last_error = status;
  return status;
}

int cudaGetLastError(void) {
  int const error = last_error;
  last_error = 0;
  return error;
}
int cudaGetDevice(int *device) { return *device = 0; }
int cudaDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  memset(properties, 0, sizeof *properties);
  strcpy(properties->name, "Stand-in 5000");
  properties->major = 12;
  properties->minor = 0;
  return device;
}
// Its name in CUDA 12.
int cudaGetDeviceProperties_v2(struct cudaDeviceProp *properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}

typedef struct {
  unsigned x, y, z;
} Grid;

unsigned __cudaPushCallConfiguration(Grid grid, Grid block, size_t memory, void *stream) {
  configurations++;
  return 0;
}
int __cudaPopCallConfiguration(Grid *grid, Grid *block, size_t *memory, void *stream) {
  configurations--;
  return 0;
}
// The real one takes a failed kernel without an error of its own.
int __cudaGetKernel(void **kernel, void const *function) {
  *kernel = kernel_status ? 0 : (void *)function;
  return done(kernel_status);
}
int __cudaLaunchKernel(void *kernel, Grid grid, Grid block, void **arguments, size_t memory, void *stream) {
  return done(launch_status);
}
// A compiled launch before CUDA 13, which looks for its kernel itself.
int cudaLaunchKernel(void const *kernel, Grid grid, Grid block, void **arguments, size_t memory, void *stream) {
  return done(kernel_status ? kernel_status : launch_status);
}
int cudaLaunchKernelExC(void const *configuration, void const *kernel, void **arguments) { return done(launch_status); }
int cudaLaunchCooperativeKernel(void const *kernel, Grid grid, Grid block, void **arguments, size_t memory, void *stream) {
  return done(launch_status);
}
int cudaFuncSetAttribute(void const *kernel, int attribute, int value) { return done(launch_status); }
int cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, void const *kernel) { return done(launch_status); }
