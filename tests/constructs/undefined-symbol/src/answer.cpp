#include <cstdint>

int64_t elsewhere(int64_t number);

int64_t answer() { return elsewhere(42); }
