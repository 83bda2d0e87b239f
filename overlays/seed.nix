# The first program, and the one function that every other builder is made with.
final: _: {
  architecture = (import ../pkgs/debian/architectures.nix).${final.system};
  seed = final.callPackage ../pkgs/seed { };
  busybox = final.callPackage ../pkgs/busybox { };
  runStep = final.callPackage ../pkgs/step { };
}
