# `unpackWheel` for macOS, where the programs of wheels run unchanged.
{ hostTools, runStep }:
import ../python/unpack-wheel {
  inherit runStep;
  patchelf = hostTools;
  relocate = builtins.toFile "relocate.sh" "relocate() { :; }\n";
  runtime = hostTools // {
    loader = "";
  };
}
