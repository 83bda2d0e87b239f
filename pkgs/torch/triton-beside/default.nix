# Triton as it belongs to a Torch, for kernels whose Python files import it. A Torch for CUDA
# brings the same wheel along; one for the processor does without, but a kernel may not.
{ lockedWheels }:
/**
  No package where none is pinned for the release.

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
