# `unpackWheel` for macOS, where the programs of wheels run unchanged.
{
  hostTools,
  python,
  runStep,
}:
import ../python/unpack-wheel {
  inherit python runStep;
  patchelf = hostTools;
  relocate = builtins.toFile "relocate.sh" "relocate() { :; }\n";
  runtime = hostTools // {
    loader = "";
  };
}
