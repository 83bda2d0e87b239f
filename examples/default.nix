# The examples as kernels of this repository's own flake, which needs no lock file:
# `nix build .#examples.relu.bundle`. Each has all that its own flake gives.
{ self, system }:
let
  inherit (builtins)
    attrNames
    filter
    listToAttrs
    pathExists
    readDir
    ;
  fileOf = name: ./. + "/${name}/flake.nix";
in
listToAttrs (
  map (name: {
    inherit name;
    value =
      ((import (fileOf name)).outputs {
        inherit self;
        kernel-builder = self;
      }).legacyPackages.${system};
  }) (filter (name: pathExists (fileOf name)) (attrNames (readDir ./.)))
)
