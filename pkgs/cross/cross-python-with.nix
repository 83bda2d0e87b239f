# `targetPythonWith` for another processor: an environment that runs in the emulator.
{ lib, pythonPackages, runPython, crossPython, emulator }:
/**
  Type: crossPythonWith :: { name :: String; packages :: [String | Package]; } -> Derivation // { emulator :: String; }
*/
environment:
import ../python/python-with {
  inherit lib pythonPackages runPython;
  python = crossPython;
} environment
// { emulator = "${emulator}/bin/emulate"; }
