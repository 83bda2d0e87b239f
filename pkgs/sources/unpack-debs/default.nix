# Debian packages, unpacked over each other into one tree.
{ lib, refuse, runStep, debs }:
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
    debs.${package} or ((refuse ./problems.json).unpinned {
      inherit package;
      pinned = lib.messages.check.listChoices (builtins.attrNames debs);
    })
  ) packages;
}
