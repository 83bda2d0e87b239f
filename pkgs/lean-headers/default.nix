# Umbrella headers of Torch that leave out what device code hardly uses, in two sets: `operators`
# lacks the C++ neural network frontend, `tensors` the operators as well. They come before Torch's
# own on the include path; a unit that needs more does not parse with them and is compiled with
# the next set, at last with Torch's own.
{ lib }: lib.paths.alone ./include
