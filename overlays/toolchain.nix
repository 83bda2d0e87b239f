# gcc and what it runs with.
final: _: {
  runtime = final.callPackage ../pkgs/runtime { };
  patchelf = final.callPackage ../pkgs/patchelf { };
  toolchain = final.callPackage ../pkgs/toolchain { };
  bash = final.callPackage ../pkgs/bash { };
}
