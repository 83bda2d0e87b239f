#include <ATen/Parallel.h>
#include <omp.h>

#include "shared.h"
