# Debian packages, unpacked over each other into one tree.
{ lib, runStep, debs }:
/**
  `archives` are packages of another release, in addition to `packages` from the package set's release.

  Type: unpackDebs :: { name :: String; packages :: [String] ? [ ]; archives :: [Derivation] ? [ ]; } -> Derivation
*/
{ name, packages ? [ ], archives ? [ ] }:
runStep {
  inherit name;
  script = ./unpack.sh;
  env.archives = archives ++ map (
    package:
    debs.${package} or (lib.messages.check.throwProblem "no Debian package ${builtins.toJSON package} is pinned" {
      at = "pkgs/sources/debs/pins.json, want";
      found = "nothing of that name";
      want = lib.messages.check.listChoices (builtins.attrNames debs);
      fix = "add it there and run `tools/bin/lock-pins pkgs/sources/debs/pins.json`";
    })
  ) packages;
}
