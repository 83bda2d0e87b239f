# The seed: one static busybox, the only binary that no step builds.
#
# Nix can fetch a file but cannot unpack a Debian package, so the first step needs a program. The program is in a folder
# because busybox takes the applet from its own file name, which must not be `<hash>-busybox`. The smoke test
# `seed` compares the program with the one in the pinned Debian package. README.md here says how to renew it.
{ lib, system }:
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
      lib.messages.check.throwProblem "there is no seed for ${system}" {
        at = "pkgs/bootstrap/seed";
        found = builtins.toJSON system;
        want = lib.messages.check.listChoices (
          filter (name: entries.${name} == "directory") (attrNames entries)
        );
        fix = "build on Linux, or through a remote Linux builder (nix.conf: builders)";
      };
}
