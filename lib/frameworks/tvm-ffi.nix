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
  label = _: "tvm-ffi${versions.flat version}";
  # An extension is linked with TVM FFI's library only if one of its units includes a header of it.
  linked = _: { packages = [ ]; libraries = [ ]; };
}
