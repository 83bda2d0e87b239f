// Includes name macros of the source and of a flag; no `include` leads to the files, with endings of all kinds.
#include <cstdint>

#define ADDENDS "impl/parts/addend.def"
#include ADDENDS
#include IMPL
#define MORE "more"
#include MORE

int64_t macro() { return value() + more(); }
