// gcc calls libatomic for 16-byte atomics, and nobody names the library.
#include <atomic>
#include <cstdint>

struct Pair {
  int64_t first, second;
};

std::atomic<Pair> pair{Pair{40, 2}};

int64_t atomics() {
  Pair seen = pair.load();
  pair.store(Pair{seen.second, seen.first});
  return pair.load().first + pair.load().second;
}
