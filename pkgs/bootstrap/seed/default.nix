# The seed: one static busybox, the only binary that no step builds.
#
# Nix can fetch a file but cannot unpack a Debian package, so the first step needs a program. The program is in a folder
# because busybox takes the applet from its own file name, which must not be `<hash>-busybox`. The smoke test
# `seed` compares the program with the one in the pinned Debian package. README.md here says how to renew it.
{ lib, refuse, system }:
let
  inherit (builtins) attrNames filter readDir;
  entries = readDir ./.;
in
builtins.path {
  name = "busybox-seed";
  path =
    if entries ? ${system} then
      ./. + "/${system}"
    else
      (refuse ./problems.json).no-seed {
        inherit system;
        systems = lib.messages.check.listChoices (
          filter (name: entries.${name} == "directory") (attrNames entries)
        );
      };
}
