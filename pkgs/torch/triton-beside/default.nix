# The Triton that belongs to a Torch, for kernels whose Python files import it. A Torch for CUDA depends on the same
# wheel; a Torch for the CPU does not.
{ lockedBeside }:
/**
  Return the pinned Triton of a build's release, or an empty list.

  Type: tritonBeside :: String -> [Package]
*/
build:
builtins.attrValues (lockedBeside {
  inherit build;
  locks = ./locks;
  name = builtins.head (builtins.match "([^+]*).*" build);
})
