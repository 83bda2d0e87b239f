#include "part.h"

int other(int number) {
  int first = 0, second = 0;
  return number;
}
