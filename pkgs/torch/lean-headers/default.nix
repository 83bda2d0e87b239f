# Umbrella headers of Torch that leave out what a unit hardly uses: `operators` lacks the C++
# neural network frontend; `named` has, of the operators, those that the kernel's text names;
# `tensors` has none. They come before Torch's own on the include path; a unit that needs more
# does not parse with them and is compiled with the next set, at last with Torch's own.
{ lib }: lib.values.paths.alone ./include
