# The seed: one static busybox, the only binary that no step here explains.
#
# Nix alone can fetch a file but cannot open a Debian package, so something has to
# be there before the first package. It lies in a folder of its own because busybox
# reads its own file name to learn which applet it is: as a bare store file
# (`<hash>-busybox`) it would find none. The smoke test `seed` compares it, byte for byte, with
# the one in the pinned Debian package; README.md here says how to renew it.
{ lib, system }:
let
  folders = {
    x86_64-linux = ./x86_64-linux;
    aarch64-linux = ./aarch64-linux;
  };
in
builtins.path {
  name = "busybox-seed";
  path =
    folders.${system} or (lib.messages.check.throwProblem "there is no seed for ${system}" {
      at = "pkgs/bootstrap/seed";
      found = builtins.toJSON system;
      want = lib.messages.check.listChoices (builtins.attrNames folders);
      fix = "build on Linux, or through a remote Linux builder (nix.conf: builders)";
    });
}
