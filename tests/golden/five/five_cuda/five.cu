#include <ATen/cuda/CUDAContext.h>
#include <cuda_fp16.h>

#include "shared.h"
