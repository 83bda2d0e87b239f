# The version of CPython that a Torch wheel is for: `wheelPython "2.13.0+cpu"` is "3.11", or null without a wheel.
{ system, torchPins }:
/** Type: wheelPython :: String -> String | Null */
build:
let
  pin = torchPins.${build}.${system} or null;
in
if pin == null then null else "3.${builtins.head (builtins.match ".*-cp3([0-9]+)-.*" pin.file)}"
