# `tvmFfi`: TVM FFI's headers and library: the folder of the module in its wheel.
{ python, pythonPackages }:
let
  wheel = pythonPackages.apache-tvm-ffi;
in
{ inherit (wheel) name source; outPath = "${wheel}/${python.sitePackages}/tvm_ffi"; }
