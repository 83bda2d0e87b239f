# `targetPythonWith` for another processor: an environment that runs in the emulator.
{ callPackage, crossPython, emulator }:
/**
  Type: crossPythonWith :: { name :: String; packages :: [String | Package]; } -> Derivation // { emulator :: String; }
*/
environment:
callPackage ../python/python-with { python = crossPython; } environment
// { emulator = "${emulator}/bin/emulate"; }
