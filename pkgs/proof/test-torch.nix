# The Torch that every machine can have: the first one for the CPU out of the registries.
{ lib, torchWheel }:
torchWheel (
  lib.names.torchBuildOf (
    builtins.head (builtins.filter (entry: entry.backend == "cpu") lib.matrix.fromRegistries)
    // {
      compute = "cpu";
    }
  )
)
