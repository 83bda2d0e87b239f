# `newerPython`: Debian 13's Python with the C library that it was built for, made relocatable. It imports kernels whose
# Torch has no wheel for `python`; nothing is built with it. A process takes the libraries of both releases, because the
# newer ones serve older programs, too.
{ callPackage, readDebs, unpackDebs }:
let
  debs = readDebs ./pins.json;
  unpackNewer =
    { name, packages }:
    unpackDebs {
      inherit name;
      # Debian 13 renamed libraries whose functions have another type of time on 32 bits.
      archives = map (package: debs.${package} or debs."${package}t64") packages;
    };
  runtime = callPackage ../../toolchain/runtime { unpackDebs = unpackNewer; };
in
callPackage ../python/relocatable.nix {
  inherit runtime;
  pythonVersion = "3.13";
  unpackDebs = unpackNewer;
}
// { inherit runtime; }
