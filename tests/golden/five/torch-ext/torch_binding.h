#pragma once
#include <cstdint>
int64_t five();
