// Registers a kernel's operators under a name that is unique to the build.
//
// The name is TORCH_EXTENSION_NAME, which changes with every edit of the kernel. A unit that
// uses it only through the macros below is compiled without a definition of it: the link
// supplies the name as a string, so an edit of another unit does not recompile it.

#pragma once

#define KERNEL_BUILDER_JOIN_TOKENS(A, B) A##B
#define KERNEL_BUILDER_JOIN(A, B) KERNEL_BUILDER_JOIN_TOKENS(A, B)
#define KERNEL_BUILDER_STRING_OF(A) #A
#define KERNEL_BUILDER_STRING(A) KERNEL_BUILDER_STRING_OF(A)

#ifndef TORCH_EXTENSION_NAME

extern "C" __attribute__((visibility("hidden"))) const char kernel_builder_extension_name[];

#define KERNEL_BUILDER_LATE_LIBRARY(KIND, KEY, MODULE, ID)                                          \
  static void KERNEL_BUILDER_JOIN(kernel_builder_register_, ID)(torch::Library&);                   \
  static const torch::detail::TorchLibraryInit KERNEL_BUILDER_JOIN(kernel_builder_library_, ID)(    \
      torch::Library::KIND, &KERNEL_BUILDER_JOIN(kernel_builder_register_, ID),                     \
      kernel_builder_extension_name, KEY, __FILE__, __LINE__);                                      \
  static void KERNEL_BUILDER_JOIN(kernel_builder_register_, ID)(torch::Library & MODULE)

#define TORCH_LIBRARY_EXPAND(NAME, MODULE) KERNEL_BUILDER_LATE_LIBRARY(DEF, std::nullopt, MODULE, __COUNTER__)
#define TORCH_LIBRARY_FRAGMENT_EXPAND(NAME, MODULE) \
  KERNEL_BUILDER_LATE_LIBRARY(FRAGMENT, std::nullopt, MODULE, __COUNTER__)
#define TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE) \
  KERNEL_BUILDER_LATE_LIBRARY(IMPL, std::make_optional(c10::DispatchKey::KEY), MODULE, __COUNTER__)

// The stable ABI's classes are in `torch::stable::detail`, in Torch 2.9 in no namespace.
namespace torch::stable::detail {}

#define KERNEL_BUILDER_LATE_STABLE_LIBRARY(KIND, KEY, MODULE, ID)                                 \
  namespace KERNEL_BUILDER_JOIN(kernel_builder_stable_, ID) {                                     \
  using namespace ::torch::stable::detail;                                                        \
  using Library = StableLibrary;                                                                  \
  using Registration = StableTorchLibraryInit;                                                    \
  }                                                                                               \
  static void KERNEL_BUILDER_JOIN(kernel_builder_register_,                                       \
                                  ID)(KERNEL_BUILDER_JOIN(kernel_builder_stable_, ID)::Library&); \
  static const KERNEL_BUILDER_JOIN(kernel_builder_stable_, ID)::Registration KERNEL_BUILDER_JOIN( \
      kernel_builder_library_, ID)(KERNEL_BUILDER_JOIN(kernel_builder_stable_, ID)::Library::Kind::KIND, \
                                   &KERNEL_BUILDER_JOIN(kernel_builder_register_, ID),            \
                                   kernel_builder_extension_name, KEY, __FILE__, __LINE__);       \
  static void KERNEL_BUILDER_JOIN(kernel_builder_register_,                                       \
                                  ID)(KERNEL_BUILDER_JOIN(kernel_builder_stable_, ID)::Library & MODULE)

#define STABLE_TORCH_LIBRARY_EXPAND(NAME, MODULE) \
  KERNEL_BUILDER_LATE_STABLE_LIBRARY(DEF, nullptr, MODULE, __COUNTER__)
#define STABLE_TORCH_LIBRARY_FRAGMENT_EXPAND(NAME, MODULE) \
  KERNEL_BUILDER_LATE_STABLE_LIBRARY(FRAGMENT, nullptr, MODULE, __COUNTER__)
#define STABLE_TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE) \
  KERNEL_BUILDER_LATE_STABLE_LIBRARY(IMPL, KERNEL_BUILDER_STRING(KEY), MODULE, __COUNTER__)

// The link supplies the module.
#define REGISTER_EXTENSION(NAME) static_assert(true, "");

#else

#include <Python.h>

#define TORCH_LIBRARY_EXPAND(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)
#define TORCH_LIBRARY_FRAGMENT_EXPAND(NAME, MODULE) TORCH_LIBRARY_FRAGMENT(NAME, MODULE)
#define TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE) TORCH_LIBRARY_IMPL(NAME, KEY, MODULE)
#define STABLE_TORCH_LIBRARY_EXPAND(NAME, MODULE) STABLE_TORCH_LIBRARY(NAME, MODULE)
#define STABLE_TORCH_LIBRARY_FRAGMENT_EXPAND(NAME, MODULE) STABLE_TORCH_LIBRARY_FRAGMENT(NAME, MODULE)
#define STABLE_TORCH_LIBRARY_IMPL_EXPAND(NAME, KEY, MODULE) STABLE_TORCH_LIBRARY_IMPL(NAME, KEY, MODULE)

#define REGISTER_EXTENSION(NAME)                                                                 \
  PyMODINIT_FUNC KERNEL_BUILDER_JOIN(PyInit_, NAME)() {                                          \
    static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, KERNEL_BUILDER_STRING(NAME),      \
                                        nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr}; \
    return PyModule_Create(&module);                                                             \
  }

#endif
