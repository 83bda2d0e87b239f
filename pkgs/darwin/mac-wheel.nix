# `unpackWheel` for macOS, where programs of wheels run as they are.
{ hostTools, runStep }:
import ../python/unpack-wheel {
  inherit runStep;
  patchelf = hostTools;
  relocate = builtins.toFile "relocate.sh" "relocate() { :; }\n";
  runtime = hostTools;
  architecture.loader = "";
}
