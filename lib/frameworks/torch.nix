# Extensions of Torch: a module that Python imports, and that registers operators.
{ versions, ... }:
{
  folder = "torch-ext";
  isOfTorch = true;
  bindingDepends = [ "torch" ];
  nameMacro = "TORCH_EXTENSION_NAME";
  label =
    {
      torch,
      stableAbi,
      system,
    }:
    let
      # Darwin never had two ABIs of the C++ library.
      abi = if builtins.match ".*-darwin" system == null then "-cxx11" else "";
    in
    if stableAbi != null then
      "torch-stable-abi${versions.flat stableAbi}"
    else
      "torch${versions.flat torch}${abi}";
  linked = backend: {
    packages = [ "torch" ];
    inherit (backend) libraries;
  };
  ending = "abi3.so";
  exports = "PyInit_@extension@";
}
