// The conversions of bfloat16 for devices without their own, which the wheel of oneAPI 2025.3 lacks.

#include <sycl/sycl.hpp>

extern "C" {

// Rounds to the nearest number, and ties to even.
SYCL_EXTERNAL unsigned short __devicelib_ConvertFToBF16INTEL(float const &number) {
  unsigned const bits = sycl::bit_cast<unsigned>(number);
  if (sycl::isnan(number)) return 0x7fc0 | bits >> 31 << 15;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

SYCL_EXTERNAL float __devicelib_ConvertBF16ToFINTEL(unsigned short const &bits) {
  return sycl::bit_cast<float>(unsigned(bits) << 16);
}
}
