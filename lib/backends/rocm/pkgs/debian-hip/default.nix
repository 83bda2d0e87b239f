# HIP from Debian's packages: clang of Debian 13, and the headers and device libraries of HIP from experimental, which
# are made for that clang. It replaces AMD's packages on machines that do not reach AMD's host:
# `overlays = [ (final: _: { rocmToolkit = final.rocmDebianHip; }) ]`.
{
  lib,
  architecture,
  busybox,
  debianClang,
  patchelf,
  readDebs,
  relocate,
  runStep,
  toolchain,
  unpackDebs,
}:
let
  inherit (builtins) attrValues;
  inherit (lib.values.versions) majorMinor;
  release = "7.2";

  tree =
    name: pins:
    unpackDebs {
      inherit name;
      packages = [ ];
      archives = attrValues (readDebs pins);
    };
in
/**
  # Type

  ```
  rocmDebianHip :: { toolkit :: String; ptxas :: String | Null; } -> { hip; hipblas; hiprand; hipsolver; hipsparse; rocprim; rocthrust :: Package; }
  ```

  # Errors

  Debian has no HIP of that release.
*/
{ toolkit, ... }:
let
  hip = runStep {
    name = "debian-hip-${release}";
    script = ./assemble.sh;
    tools = [ patchelf ];
    outputs = [
      "out"
      "dev"
    ];
    env = {
      inherit busybox relocate toolchain;
      gcc_version = toolchain.version;
      inherit (architecture) loader triple;
      clang = debianClang;
      hip = tree "debian-hip-debs" ./hip/pins.json;
    };
  };
  # Headers only, because Torch brings the libraries.
  libraries = runStep {
    name = "debian-hip-libraries-${release}";
    script = ./headers.sh;
    env.tree = tree "debian-hip-libraries-debs" ./libraries/pins.json;
  };
in
if majorMinor toolkit != release then
  lib.messages.check.throwProblem "Debian has no HIP of ROCm ${toolkit}" {
    at = "rocmDebianHip";
    found = "HIP ${release}";
    want = "HIP ${majorMinor toolkit}";
    fix = "leave other variants out with torchVersions, or take AMD's packages (rocmToolkit)";
  }
else
  builtins.mapAttrs (_: _: libraries) (removeAttrs lib.backends.all.rocm.packages [ "hip" ]) // { inherit hip; }
