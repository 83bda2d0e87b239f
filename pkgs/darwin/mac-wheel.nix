# `macWheel`: `unpackWheel` for macOS, where the programs of wheels run unchanged.
{ hostTools, lib, python, runStep }:
import ../python/unpack-wheel {
  inherit lib python runStep;
  patchelf = hostTools;
  relocate = builtins.toFile "relocate.sh" "relocate() { :; }\n";
  runtime = hostTools // { loader = ""; };
}
