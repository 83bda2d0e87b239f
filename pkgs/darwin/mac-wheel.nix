# `macWheel`: `unpackWheel` for macOS, where the programs of wheels run unchanged.
{ callPackage, hostTools }:
callPackage ../python/unpack-wheel {
  patchelf = hostTools;
  relocate = builtins.toFile "relocate.sh" "relocate() { :; }\n";
  runtime = hostTools // { loader = ""; };
}
