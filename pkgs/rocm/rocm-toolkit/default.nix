# One release of ROCm out of AMD's own packages for Red Hat 8, whose C library is that of the
# kernels' policy. `hip` has compiler, runtime and device libraries; of each math library there are
# the headers, since Torch brings the libraries along.
{
  lib,
  busybox,
  architecture,
  fetchVendor,
  patchelf,
  relocate,
  releasePins,
  runStep,
  runtime,
  toolchain,
}:
let
  inherit (builtins) mapAttrs;

in
/**
  The release `toolkit`.

  # Type

  ```
  rocmToolkit :: { toolkit :: String; ptxas :: String | Null; }
    -> { hip; hipblas; hiprand; hipsolver; hipsparse; rocprim; rocthrust :: Package; }
  ```

  # Errors

  No release of that number is pinned.
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  pinned = releasePins {
    name = "ROCm";
    folder = ./toolkits;
    place = "pkgs/rocm/rocm-toolkit/toolkits";
  } release;
  sourcesOf = name: map fetchVendor pinned.packages.${name};

  headers =
    name: _:
    runStep {
      name = "${name}-rocm-${release}";
      script = ./headers.sh;
      env = {
        sources = sourcesOf name;
        unpack = ./unpack.sh;
      };
    };
in
mapAttrs headers (removeAttrs pinned.packages [ "hip" ])
// {
  hip = runStep {
    name = "rocm-${release}";
    script = ./compiler.sh;
    tools = [ patchelf ];
    outputs = [
      "out"
      "dev"
    ];
    env = {
      inherit
        busybox
        relocate
        runtime
        toolchain
        ;
      inherit (architecture) triple;
      loader_path = "${runtime}/lib/${architecture.loader}";
      sources = sourcesOf "hip";
      unpack = ./unpack.sh;
    };
  };
}
