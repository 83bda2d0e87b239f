# TVM FFI's headers and library, as its wheel has them: the folder of the module is the package.
{ pythonPackages }:
let
  wheel = pythonPackages.apache-tvm-ffi;
in
{
  inherit (wheel) name source;
  outPath = "${wheel}/lib/python3.11/site-packages/tvm_ffi";
}
