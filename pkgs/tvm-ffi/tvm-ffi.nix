# TVM FFI's headers and library, as its wheel has them: the folder of the module is the package.
{ python, pythonPackages }:
let
  wheel = pythonPackages.apache-tvm-ffi;
in
{
  inherit (wheel) name source;
  outPath = "${wheel}/${python.sitePackages}/tvm_ffi";
}
