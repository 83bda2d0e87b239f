// A little of each library that kernels are linked with.
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

int main() {
  std::vector<double> results(2);
  std::thread thread([&] { results[0] = std::exp(0.0); });
  thread.join();
#pragma omp parallel for
  for (int i = 1; i < 2; i++) results[i] = i;
  try {
    results.at(2) = 1;
  } catch (const std::out_of_range&) {
    std::cout << results[0] + results[1] << std::endl;
  }
}
