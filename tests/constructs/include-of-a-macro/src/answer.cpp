#include <cstdint>

#define ADDENDS "impl/parts/addend.def"
#include ADDENDS
#include IMPL
#define MORE "more"
#include MORE

int64_t answer() { return value() + more(); }
