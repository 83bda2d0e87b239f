#include <tvm/ffi/function.h>

#include "axpy.h"

#ifdef CUDA_KERNEL
TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, axpy_cuda);
#else
TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpy, axpy_cpu);
#endif
