# Umbrella headers of Torch that leave out the C++ neural network frontend. A folder of them comes
# before Torch's own on the include path; a unit that needs more does not parse with them and is
# compiled with Torch's own instead.
{ lib }: lib.paths.alone ./include
