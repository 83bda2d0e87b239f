# One release of ROCm from AMD's own packages for Red Hat 8, whose C library is that of manylinux_2_28. `hip` has
# compiler, runtime and device libraries. Of each math library there are only the headers, because Torch
# brings the libraries.
{
  lib,
  buildToolkit,
  fetchVendor,
  runStep,
}:
/**
  # Type

  ```
  rocmToolkit :: { toolkit :: String; ptxas :: String | Null; }
    -> { hip; hipblas; hiprand; hipsolver; hipsparse; rocprim; rocthrust :: Package; }
  ```
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  inherit (lib.backends.all.rocm.toolkit.releases.${release}) packages;
  unpack = ./unpack.sh;

  headers =
    name: sources:
    runStep {
      name = "${name}-rocm-${release}";
      script = ./headers.sh;
      env = {
        sources = map fetchVendor sources;
        inherit unpack;
      };
    };
in
builtins.mapAttrs headers (removeAttrs packages [ "hip" ])
// {
  hip = buildToolkit {
    name = "rocm-${release}";
    script = ./compiler.sh;
    sources = map fetchVendor packages.hip;
    env = { inherit unpack; };
  };
}
