# Checks that the package set's gcc is one that an nvcc accepts for the host part, before anything is built. The versions are
# those of NVIDIA's installation guide and of the toolkit's host_config.h.
{ lib, toolchain }:
/**
  `value`, if the compiler is neither older nor newer than `accepted`.

  # Type

  ```
  withHostCompiler :: String -> { oldest, newest :: Int; } -> a -> a
  ```
*/
release: accepted: value:
let
  number = builtins.fromJSON toolchain.version;
in
if accepted.oldest <= number && number <= accepted.newest then
  value
else
  lib.messages.check.throwProblem "the nvcc of CUDA ${release} does not work with this compiler" {
    at = toolchain.name;
    found = "gcc ${toolchain.version}";
    want = "gcc ${toString accepted.oldest} to ${toString accepted.newest}";
    fix = "leave the variants of CUDA ${release} out with torchVersions, or bring another toolchain";
  }
