// Asks the kernel for pages of 2 MB for the memory of a compiler, which clears and maps them faster than five hundred small ones each.
// Does nothing where the system forbids them, or has other small pages: there a huge one may have half a gigabyte.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_small(void) { return getauxval(AT_PAGESZ) == 4096; }

// cicc has an allocator of its own, which takes its memory from here.
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  void *mapped = (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
  int const is_memory = (flags & MAP_ANONYMOUS) && (flags & MAP_PRIVATE) && (protection & PROT_WRITE);
  if (mapped != MAP_FAILED && is_memory && size >= 65536 && is_small()) madvise(mapped, size, MADV_HUGEPAGE);
  return mapped;
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(address, size, protection, flags, file, offset);
}

// The heap grows by 256 MB of addresses at once, which are memory when they are written.
__attribute__((constructor)) static void begin(void) {
  if (!is_small()) return;
  mallopt(M_TOP_PAD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
  void *first = malloc(1 << 20);
  uintptr_t const start = ((uintptr_t)first + 4095) & ~(uintptr_t)4095;
  uintptr_t const end = (uintptr_t)sbrk(0) & ~(uintptr_t)4095;
  if (end > start) madvise((void *)start, end - start, MADV_HUGEPAGE);
  free(first);
}
