#include "answer.h"

// Not declared by Python's headers, since Py_LIMITED_API is that of 3.9.
extern "C" const char *PyUnicode_AsUTF8AndSize(void *text, long *size);
extern "C" void *_PyObject_GetDictPtr(void *object);
// The file that defines it was forgotten in src.
int64_t computed_elsewhere(int64_t x);

int64_t answer() {
  long size = 0;
  PyUnicode_AsUTF8AndSize(_PyObject_GetDictPtr(nullptr), &size);
  return computed_elsewhere(size);
}
