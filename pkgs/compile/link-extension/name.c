/* What the units of a kernel do not know while they are compiled: the name under which this
   build registers its operators, and the Python module of that name, which is empty. */

#define STRING_OF(A) #A
#define STRING(A) STRING_OF(A)

__attribute__((visibility("hidden"))) const char kernel_builder_extension_name[] = STRING(EXTENSION_NAME);

#ifdef BUILT_KERNEL

/* Texts for errors of launches, see launch_errors.h. */
#define TEXT(NAME) __attribute__((visibility("hidden"))) const char kernel_builder_##NAME[]
TEXT(kernel) = BUILT_KERNEL;
TEXT(variant) = BUILT_VARIANT;
TEXT(targets) = BUILT_TARGETS;
TEXT(targets_key) = TARGETS_KEY;

#endif

#ifdef EXTENSION_MODULE

#include <Python.h>

#define JOIN_TOKENS(A, B) A##B
#define JOIN(A, B) JOIN_TOKENS(A, B)

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, kernel_builder_extension_name, 0, 0, 0, 0, 0, 0, 0};

/* Weak, because a unit may define the module, too. */
__attribute__((weak)) PyMODINIT_FUNC JOIN(PyInit_, EXTENSION_NAME)(void) { return PyModule_Create(&module); }

#endif
