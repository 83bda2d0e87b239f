#include <cub/version.cuh>
#include <cuda/std/complex>
#include <thrust/complex.h>

int host_answer() {
  return static_cast<int>(thrust::complex<float>(42, 0).real() + cuda::std::complex<float>(CUB_VERSION > 0, 0).imag());
}
