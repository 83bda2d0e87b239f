#include <sycl/sycl.hpp>
#include <torch/library.h>
