// Two equal headers with #pragma once each include the size.h beside them: read as one file, they gave 64064.
#include <cstdint>

#include "sm80/tile.h"
static int64_t small() { return TILE; }
#include "sm90/tile.h"
static int64_t large() { return TILE; }

int64_t equal_headers() { return small() * 1000 + large(); }
