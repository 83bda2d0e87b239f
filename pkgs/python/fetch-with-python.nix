# A source that a Python program downloads, pinned by its hash: a fixed-output derivation, whose builder has a network.
#
# `kernel-builder prefetch` reads the coordinates and gets the same source in its own ways. The store path depends only
# on name and hash.
{ system, lib, hostAccess, proxyVariables }:
/**
  `coordinates` are the attributes that `prefetch` reads. `mode` is "flat" for a file and "recursive" for a tree.
  `variables` are additional environment variables of the program, and `callers` the names of variables that the program
  takes from whoever runs the build.

  Type: fetchWithPython :: { name :: String; coordinates :: AttrSet; mode, hash :: String; python :: Package;
    program :: Path; variables :: AttrSet ? { }; callers :: [String] ? [ ]; } -> Derivation
*/
{ name, coordinates, mode, hash, python, program, variables ? { }, callers ? [ ] }:
derivation (
  hostAccess
  // coordinates
  // {
    inherit system;
    name = lib.values.storeName.sanitize name;
    builder = "${python}/bin/python3";
    args = [ (lib.values.paths.alone program) ];
    PATH = "${python}/bin";
    outputHashMode = mode;
    outputHashAlgo = "sha256";
    outputHash = hash;
    preferLocalBuild = true;
    impureEnvVars = callers ++ proxyVariables;
  }
  // variables
)
