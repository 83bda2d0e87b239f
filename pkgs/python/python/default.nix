# `python`: The Python of builders and checks. `newerPython` is the other one.
{ architecture, patchelf, readWords, runStep, runtime, unpackDebs }:
import ./relocatable.nix {
  inherit architecture patchelf readWords runStep runtime unpackDebs;
  pythonVersion = "3.11";
}
