#include "answer.h"

// Not declared by Python's headers, since Py_LIMITED_API is that of 3.9.
extern "C" const char *PyUnicode_AsUTF8AndSize(void *text, long *size);
extern "C" void *_PyObject_GetDictPtr(void *object);

namespace tiny {

int64_t length(void *text) {
  long size = 0;
  PyUnicode_AsUTF8AndSize(text, &size);
  return size;
}

}  // namespace tiny

int64_t answer() { return tiny::length(_PyObject_GetDictPtr(nullptr)); }
