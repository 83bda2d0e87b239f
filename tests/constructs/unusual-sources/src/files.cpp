// `src` lists files with other endings: a header without one, a table, and data for the assembler.
#include <Mini/Core>
#include <cstdint>

static const int table[] = {
#include "table.def"
};

asm(".section .rodata\n"
    "two: .incbin \"src/two.bin\"\n"
    ".text\n");
extern const unsigned char two[] asm("two") __attribute__((visibility("hidden")));

int64_t files() { return mini() + table[0] + two[0] + two[1]; }
