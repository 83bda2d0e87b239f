# `python`: The Python of builders and checks. `newerPython` is the other one.
{ runStep, unpackDebs, runtime, patchelf, architecture }:
import ./relocatable.nix {
  inherit runStep unpackDebs runtime patchelf architecture;
  pythonVersion = "3.11";
}
