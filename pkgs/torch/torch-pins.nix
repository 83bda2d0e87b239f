# The pinned Torch wheels, by build and system.
{ lib }: lib.matrix.origins.torchPins
