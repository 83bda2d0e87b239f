# Debian packages, unpacked over each other into one tree.
{ lib, runStep, debs }:
/**
  # Type

  ```
  unpackDebs :: { name :: String; packages :: [String]; } -> Derivation
  ```
*/
{ name, packages }:
runStep {
  inherit name;
  script = ./unpack.sh;
  env.archives = map (
    package:
    debs.${package} or (lib.check.refuse "no Debian package ${builtins.toJSON package} is pinned" {
      at = "pkgs/sources/debs/pins.json, want";
      found = "nothing of that name";
      want = lib.check.oneOfText (builtins.attrNames debs);
      fix = "add it there and run `python/bin/lock-pins pkgs/sources/debs/pins.json`";
    })
  ) packages;
}
