#include <cstdint>
#include <../common/second.h>

#include "detail/../../common/first.h"

int64_t answer() { return FIRST + SECOND; }
