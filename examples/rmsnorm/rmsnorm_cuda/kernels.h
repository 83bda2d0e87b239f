// RMS norm on pointers: what the wrapper calls. No header of Torch is here.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

enum class Element { float32, float16, bfloat16 };

cudaError_t launch_forward(Element element, void *out, float *rstd, void const *x, void const *weight, int64_t rows,
                           int64_t width, float eps, cudaStream_t stream);

// How many rows of sums `partial` has to have.
int64_t count_parts(int64_t rows);

// `partial` starts with zeros.
cudaError_t launch_backward(Element element, void *grad_x, float *partial, void const *grad, void const *x,
                            void const *weight, float const *rstd, int64_t rows, int64_t width, cudaStream_t stream);
