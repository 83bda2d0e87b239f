# `leanHeaders`: Smaller replacements of Torch's umbrella headers, in three sets: `operators` lacks the C++ neural
# network frontend; `named` has only the operators that the kernel's text names; `tensors` has no operators. They come
# before Torch's headers on the include path. If a unit does not parse with a set, it is compiled with the next one, and
# at last with Torch's own headers.
{ lib }: lib.values.paths.alone ./include
