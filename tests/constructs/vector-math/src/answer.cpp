#include <cmath>
#include <cstdint>

float numbers[1000], sums[1000];
double others[1000], angles[1000];

// exp is in every libmvec, tanh and atan2 only in newer ones.
int64_t answer() {
  for (int i = 0; i < 1000; i++) sums[i] = std::exp(numbers[i]) + std::tanh(numbers[i] + 1);
  for (int i = 0; i < 1000; i++) angles[i] = std::atan2(others[i] + 1, 1.0);
  return static_cast<int64_t>(sums[999] * 1000) * 1000 + static_cast<int64_t>(angles[999] * 1000);
}
