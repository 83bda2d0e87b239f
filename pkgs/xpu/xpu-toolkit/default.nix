# One release of oneAPI out of Intel's own packages: compiler, SYCL's headers and libraries, and what
# they load. Headers of oneDNN come out of Intel's wheel, since one of the releases has no package of it.
{
  lib,
  busybox,
  architecture,
  collectHeaders,
  fetchVendor,
  fetchWheel,
  patchelf,
  relocate,
  releasePins,
  runStep,
  runtime,
  toolchain,
}:
/**
  The release `toolkit`.

  # Type

  ```
  xpuToolkit :: { toolkit :: String; ptxas :: String | Null; } -> { onednn; sycl :: Package; }
  ```

  # Errors

  No release of that number is pinned.
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  inherit
    (releasePins {
      name = "oneAPI";
      folder = ./toolkits;
      place = "pkgs/xpu/xpu-toolkit/toolkits";
    } release)
    packages
    ;
  onednn = builtins.head packages.onednn;
in
{
  onednn = collectHeaders {
    name = "onednn-${onednn.version}";
    source = fetchWheel onednn;
    folders = [ "onednn_devel-${onednn.version}.data/data/include" ];
  };
  sycl = runStep {
    name = "oneapi-${release}";
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
      sources = map fetchVendor packages.sycl;
    };
  };
}
