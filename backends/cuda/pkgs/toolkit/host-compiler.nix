# Checks before any build that nvcc accepts the package set's gcc as its host compiler. The accepted versions come from
# NVIDIA's installation guide and the toolkit's host_config.h.
{ lib, toolchain }:
/**
  `value`, if the compiler is neither older nor newer than `accepted`.

  Type: withHostCompiler :: String -> { oldest, newest :: Int; } -> a -> a
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
