#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include "registration.h"

// Functions in parts/; Python has what they give if the library works.
int64_t files(const std::string& folder);
int64_t randomness();
std::string mathematics(double x);
int64_t waits();
int64_t threads();
int64_t thread_identity();
std::string digits(double x);

// Torch throws with its own libstdc++, the kernel catches with the one that is linked into it.
static std::string caught_from_torch() {
  std::string text;
  try {
    at::ones({2}).add(at::ones({3}));
  } catch (const c10::Error& error) {
    text += "Error";
  }
  try {
    at::ones({2}).to(at::kInt).sqrt_();
  } catch (const std::exception& error) {
    text += dynamic_cast<const c10::Error*>(&error) ? " exception" : " ?";
  }
  try {
    TORCH_CHECK_INDEX(false, "no such place");
  } catch (const c10::IndexError& error) {
    text += " IndexError";
  }
  return text;
}

static void thrown_to_torch() { throw std::out_of_range("not in the kernel"); }

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("files(str folder) -> int", &files);
  ops.def("randomness() -> int", &randomness);
  ops.def("mathematics(float x) -> str", &mathematics);
  ops.def("waits() -> int", &waits);
  ops.def("threads() -> int", &threads);
  ops.def("thread_identity() -> int", &thread_identity);
  ops.def("digits(float x) -> str", &digits);
  ops.def("caught_from_torch() -> str", &caught_from_torch);
  ops.def("thrown_to_torch() -> ()", &thrown_to_torch);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
