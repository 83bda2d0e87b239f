#include <cstdint>

int64_t answer() {
  int unused;
  return the_first_mistake;
}

#define TEN(name) name##0, name##1, name##2, name##3, name##4, name##5, name##6, name##7, name##8, name##9
int64_t others() {
  int many[] = {TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), TEN(h), TEN(i), TEN(j)};
  int more[] = {TEN(k), TEN(l), TEN(m), TEN(n), TEN(o), TEN(p), TEN(q), TEN(r), TEN(s), TEN(t)};
  return many[0] + more[0];
}
