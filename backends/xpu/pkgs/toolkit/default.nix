# One release of oneAPI from Intel's own packages: the compiler, SYCL's headers and libraries, and the libraries that
# they load.
{ lib, buildToolkit, fetchVendor, xpuOnednn }:
/**
  Type: xpuToolkit :: { toolkit :: String; ptxas :: String | Null; } -> { onednn; sycl :: Package; }
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  inherit (lib.backends.all.xpu.toolkit.releases.${release}) packages;
in
{
  onednn = xpuOnednn release;
  sycl = buildToolkit {
    name = "oneapi-${release}";
    script = ./compiler.sh;
    sources = map fetchVendor packages.sycl;
  };
}
