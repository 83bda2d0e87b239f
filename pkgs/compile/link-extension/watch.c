/* Functions of Torch's stable ABI that register operators. The import check loads this library before an extension,
   whose registrations then go through the check: `checked_NAME` is a function of the check. */

#include <stdint.h>

#define WATCH(NAME, PARAMETERS, ARGUMENTS)           \
  int32_t(*checked_##NAME) PARAMETERS;               \
  int32_t NAME PARAMETERS { return checked_##NAME ARGUMENTS; }

typedef void (*boxed)(uint64_t *, uint64_t, uint64_t);

WATCH(aoti_torch_library_init_def, (const char *space, const char *file, uint32_t line, void **library),
      (space, file, line, library))
WATCH(aoti_torch_library_init_fragment, (const char *space, const char *file, uint32_t line, void **library),
      (space, file, line, library))
WATCH(aoti_torch_library_init_impl,
      (const char *space, const char *key, const char *file, uint32_t line, void **library),
      (space, key, file, line, library))
WATCH(aoti_torch_library_impl, (void *library, const char *name, boxed function), (library, name, function))
WATCH(torch_library_impl, (void *library, const char *name, boxed function, uint64_t version),
      (library, name, function, version))
