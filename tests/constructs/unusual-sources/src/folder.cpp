// An include passes through a folder that no header of the unit is in, and compilers look for the folder.
#include <cstdint>
#include <../common/second.h>

#include "detail/../../common/first.h"

int64_t folder() { return FIRST + SECOND; }
