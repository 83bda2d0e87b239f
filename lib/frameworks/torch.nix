# Extensions of Torch: Python modules that register operators.
{ values, platforms, ... }:
let
  inherit (values) versions;
  inherit (platforms) systems;
in
{
  label =
    { torch, stableAbi, system }:
    let
      # macOS has only one ABI of the C++ library.
      abi = if systems.isDarwin system then "" else "-cxx11";
    in
    if stableAbi != null then
      "torch-stable-abi${versions.flat stableAbi}"
    else
      "torch${versions.flat torch}${abi}";
  linked = backend: { packages = [ "torch" ]; inherit (backend) libraries; };
}
