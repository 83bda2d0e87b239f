# One release of oneAPI from Intel's own packages: compiler, SYCL's headers and libraries, and the libraries that
# these load. The headers of oneDNN come from Intel's wheel, because one of the releases has no package of it.
{
  lib,
  buildToolkit,
  collectHeaders,
  fetchVendor,
  fetchWheel,
}:
/**
  # Type

  ```
  xpuToolkit :: { toolkit :: String; ptxas :: String | Null; } -> { onednn; sycl :: Package; }
  ```
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  inherit (lib.backends.all.xpu.toolkit.releases.${release}) packages;
  onednn = builtins.head packages.onednn;
in
{
  onednn = collectHeaders {
    name = "onednn-${onednn.version}";
    source = fetchWheel onednn;
    folders = [ "onednn_devel-${onednn.version}.data/data/include" ];
  };
  sycl = buildToolkit {
    name = "oneapi-${release}";
    script = ./compiler.sh;
    sources = map fetchVendor packages.sycl;
  };
}
