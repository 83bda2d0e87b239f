# Extensions of TVM FFI: a library of functions that take tensors of any framework. Nothing of
# Torch is in them, so one build serves every Torch.
{ values, ... }:
let
  inherit (values) versions;
  # Of what pkgs/python/python-packages pins: the public client wants the same major and minor.
  version = "0.1";
in
{
  folder = "tvm-ffi-ext";
  isCompiledAlone = true;
  pythonDepends = [ "tvm-ffi" ];
  depends = [ "tvm-ffi" ];
  nameMacro = "TVM_FFI_EXTENSION_NAME";
  label = _: "tvm-ffi${versions.flat version}";
  # Its library is linked where a unit sees its headers.
  linked = _: {
    packages = [ ];
    libraries = [ ];
  };
  ending = "so";
  exports = "__tvm_ffi_*";
}
