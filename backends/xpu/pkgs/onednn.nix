# The headers of oneDNN for a release of oneAPI, from Intel's wheel, because Intel has no oneDNN package for one of the
# releases.
{ lib, collectHeaders, fetchWheel }:
/**
  Type: xpuOnednn :: String -> Package
*/
release:
let
  wheel = builtins.head lib.backends.all.xpu.toolkit.releases.${release}.packages.onednn;
in
collectHeaders {
  name = "onednn-${wheel.version}";
  source = fetchWheel wheel;
  folders = [ "onednn_devel-${wheel.version}.data/data/include" ];
}
