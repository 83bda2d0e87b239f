#include <cstdint>

int64_t atomics();
int64_t equal_headers();
int64_t files();
int64_t folder();
int64_t macro();

int64_t answer() {
  const int64_t found[] = {atomics(), equal_headers(), files(), folder(), macro()};
  const int64_t wanted[] = {42, 64128, 42, 7, 42};
  for (int i = 0; i < 5; i++)
    if (found[i] != wanted[i]) return i + 1;
  return 0;
}
