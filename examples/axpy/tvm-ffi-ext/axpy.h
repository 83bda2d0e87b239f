// a * x + y into `out`, for float32.
#pragma once

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

#ifdef CUDA_KERNEL
void axpy_cuda(tvm::ffi::TensorView out, double a, tvm::ffi::TensorView x, tvm::ffi::TensorView y);
#else
void axpy_cpu(tvm::ffi::TensorView out, double a, tvm::ffi::TensorView x, tvm::ffi::TensorView y);
#endif

// What both want of their tensors; `device` is a kind of DLPack's.
inline void check_tensors(tvm::ffi::TensorView out, tvm::ffi::TensorView x, tvm::ffi::TensorView y, int device) {
  tvm::ffi::TensorView const *const tensors[] = {&out, &x, &y};
  for (tvm::ffi::TensorView const *tensor : tensors) {
    DLDataType const type = tensor->dtype();
    TVM_FFI_CHECK(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, TypeError) << "axpy: want float32";
    TVM_FFI_CHECK(tensor->device().device_type == device, ValueError) << "axpy: a tensor is on another kind of device";
    TVM_FFI_CHECK(tensor->device().device_id == out.device().device_id, ValueError)
        << "axpy: tensors are on several devices";
    TVM_FFI_CHECK(tensor->IsContiguous(), ValueError) << "axpy: want contiguous tensors";
    TVM_FFI_CHECK(tensor->ndim() == out.ndim(), ValueError) << "axpy: tensors have different shapes";
    for (int i = 0; i < out.ndim(); ++i) {
      TVM_FFI_CHECK(tensor->size(i) == out.size(i), ValueError) << "axpy: tensors have different shapes";
    }
  }
}
