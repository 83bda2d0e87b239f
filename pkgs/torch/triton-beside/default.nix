# The Triton that belongs to a Torch, for kernels whose Python files import it. A Torch for CUDA depends on the same
# wheel; a Torch for the CPU does not.
{ lockedWheels }:
/**
  Return the pinned Triton of a build's release, or an empty list.

  # Type

  ```
  tritonBeside :: String -> [Package]
  ```
*/
build:
let
  release = builtins.head (builtins.match "([^+]*).*" build);
in
builtins.attrValues (lockedWheels (./locks + "/${release}.json"))
