# Extensions of TVM FFI: libraries of functions on tensors of any framework. They do not use Torch, so one
# build serves every Torch.
{ values, ... }:
let
  inherit (values) versions;
  # The first two numbers of the version that pkgs/python/python-packages pins. The `kernels` client loads
  # only variants with the same numbers.
  version = "0.1";
in
{
  folder = "tvm-ffi-ext";
  isCompiledAlone = true;
  pythonDepends = [ "tvm-ffi" ];
  depends = [ "tvm-ffi" ];
  nameMacro = "TVM_FFI_EXTENSION_NAME";
  label = _: "tvm-ffi${versions.flat version}";
  # An extension is linked with TVM FFI's library only if one of its units includes a header of it.
  linked = _: { packages = [ ]; libraries = [ ]; };
  ending = "so";
  exports = "__tvm_ffi_*";
  module = {
    name = "tvm_ffi";
    project = "apache-tvm-ffi";
    title = "TVM FFI";
  };
}
