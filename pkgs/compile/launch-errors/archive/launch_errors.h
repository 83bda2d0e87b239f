// Functions that the link calls in the place of those that launch kernels
// (`ld --wrap`). They raise an error where a kernel has no code for the device, because the code that compilers write for
// `kernel<<<…>>>` drops the status.

#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <stdexcept>

// The link supplies these texts, see lib/plan/link.nix.
extern "C" {
extern __attribute__((visibility("hidden"))) const char kernel_builder_kernel[];
extern __attribute__((visibility("hidden"))) const char kernel_builder_variant[];
extern __attribute__((visibility("hidden"))) const char kernel_builder_targets[];
extern __attribute__((visibility("hidden"))) const char kernel_builder_targets_key[];
}

namespace kernel_builder {

// Texts of a message. `target` is the name that build.toml has for the device.
struct Failure {
  char const *backend;
  int device;
  char const *device_name;
  char const *noun;
  char const *target;
  char const *error;
  char const *error_text;
  char const *want;
  char const *fix;
};

// The usual `fix`.
constexpr char add_target[] =
    "add it to build.toml and build again, or load a variant or version of the kernel that has it";

// The text is made without std::string, which would add to the size of a small extension.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(Failure const &failure) {
  Dl_info own = {};
  dladdr(kernel_builder_kernel, &own);
  char text[4096];
  std::snprintf(text, sizeof text,
                "%s cannot run on this GPU (1 problem)\n\n"
                "       at     %s:%d, %s, %s %s\n"
                "       found  code for %s in %s\n"
                "              %s\n"
                "              %s: %s\n"
                "       want   %s\n"
                "       fix    %s\n",
                kernel_builder_kernel, failure.backend, failure.device, failure.device_name, failure.noun, failure.target,
                kernel_builder_targets, kernel_builder_variant, own.dli_fname ? own.dli_fname : "", failure.error,
                failure.error_text, failure.want, failure.fix);
  throw std::runtime_error(text);
}

} // namespace kernel_builder

// `CHECK` takes the status. A function that the extension does not call is left out by the linker, with what it refers
// to.
#define KERNEL_BUILDER_WRAP(STATUS, CHECK, NAME, PARAMETERS, ARGUMENTS)                                                \
  extern "C" STATUS __real_##NAME PARAMETERS;                                                                          \
  extern "C" __attribute__((visibility("hidden"))) STATUS __wrap_##NAME PARAMETERS {                                   \
    STATUS const status = __real_##NAME ARGUMENTS;                                                                     \
    if (__builtin_expect(status != 0, 0)) CHECK(status);                                                               \
    return status;                                                                                                     \
  }
