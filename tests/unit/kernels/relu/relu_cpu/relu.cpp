#include <torch/types.h>

#include "relu.h"
