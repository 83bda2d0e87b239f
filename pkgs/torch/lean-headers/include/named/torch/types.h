// Torch's own, whose inline functions include the operators that they call one by one.
#pragma once
#pragma push_macro("AT_PER_OPERATOR_HEADERS")
#define AT_PER_OPERATOR_HEADERS
#include_next <torch/types.h>
#pragma pop_macro("AT_PER_OPERATOR_HEADERS")
