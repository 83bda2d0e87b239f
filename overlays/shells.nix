# What an author works with: shells, tests of the built kernel, the command line in them.
final: _: {
  kernelBuilder = final.callPackage ../pkgs/kernel-builder { };
  kernelTool = final.callPackage ../pkgs/kernel-tool { };
  shellSupport = final.callPackage ../pkgs/shell-support { };
  kernelOnPath = final.callPackage ../pkgs/kernel-on-path { };
  kernelShell = final.callPackage ../pkgs/kernel-shell { };
  testVariant = final.callPackage ../pkgs/kernel-tests { };
  chooseTests = final.callPackage ../pkgs/kernel-ci { };
  fromIndex = final.callPackage ../pkgs/from-index { };
  compilersFor = final.callPackage ../pkgs/author-compilers { };
  authorEnvironment = final.callPackage ../pkgs/author-environment { };
}
