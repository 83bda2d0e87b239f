/* Asks for a version of memcpy that no glibc up to 2.37 has, as a program that was made
   on a newer system does. */
#define VERSION "GLIBC_2.38"

extern void *newer(void *to, const void *from, unsigned long size);
__asm__(".symver newer, memcpy@" VERSION);

static void *copy_rows(void *to, const void *from) { return newer(to, from, 64); }

void *PyInit__tiny_cpu_0(void *to) { return copy_rows(to, to); }
