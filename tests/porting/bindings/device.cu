// Kernels, a launch and the binding in one file, with a header of an older Torch.
#include <THC/THCAtomics.cuh>
#include <torch/extension.h>

struct Sum {
  __host__ __device__ constexpr int both() const { return 1; }
  __device__ __forceinline__ float add(float x) const { return __fadd_rn(x, 1.f); }
};

template <typename T>
__global__ void add_one(const T* x, T* y, int n) {
  __shared__ T shared[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = __ldg(x + i) + T(1); }
  __syncthreads();
}

at::Tensor one_more(const at::Tensor& x, int64_t n) {
  at::Tensor y = at::empty_like(x);
  static_assert(Sum{}.both() == 1, "on the host, too");
  add_one<float><<<(n + 255) / 256,
                   256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("one_more", &one_more);
}
