# One release of ROCm from AMD's own packages for Red Hat 8, whose C library is that of manylinux_2_28. `hip` has the
# compiler, the runtime and the device libraries. The math libraries have only headers, because Torch contains the
# libraries.
{ lib, buildToolkit, fetchVendor, runStep }:
/**
  Type: rocmToolkit :: { toolkit :: String; ptxas :: String | Null; } -> { hip; hipblas; hiprand; hipsolver; hipsparse;
    rocprim; rocthrust :: Package; }
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
      env = { sources = map fetchVendor sources; inherit unpack; };
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
