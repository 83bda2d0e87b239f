# Which gcc each nvcc accepts for the host's part (NVIDIA's installation guide, and host_config.h
# of the toolkit itself), so that a wrong pair is told before anything is built.
{ lib, toolchain }:
let
  inherit (builtins) fromJSON head match readFile;
  table = fromJSON (readFile ./host-compilers.json);
in
/**
  `value`, if the package set's compiler is one that the nvcc of `release` accepts.

  # Type

  ```
  withHostCompiler :: String -> a -> a
  ```
*/
release: value:
let
  accepted = table.${release};
  gcc = head (match ".*-gcc-([0-9]+).*" toolchain.name);
  number = fromJSON gcc;
in
if accepted.oldest <= number && number <= accepted.newest then
  value
else
  lib.messages.check.throwProblem "the nvcc of CUDA ${release} does not work with this compiler" {
    at = toolchain.name;
    found = "gcc ${gcc}";
    want = "gcc ${toString accepted.oldest} to ${toString accepted.newest}";
    fix = "leave the variants of CUDA ${release} out with torchVersions, or bring another toolchain";
  }
