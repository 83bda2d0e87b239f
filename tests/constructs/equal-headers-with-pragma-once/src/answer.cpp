#include <cstdint>

#include "sm80/tile.h"
static int64_t small() { return TILE; }
#include "sm90/tile.h"
static int64_t large() { return TILE; }

int64_t answer() { return small() * 1000 + large(); }
