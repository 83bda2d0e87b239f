# `crossToolchain`: gcc and binutils that run on the build machine and compile for another processor, with the libraries
# and headers of that processor. The tree has the layout of `toolchain`.
{ runStep, unpackDebs, buildSet, patchelf, relocate, busybox, architecture }:
let
  inherit (architecture) triple;
  inherit (buildSet) runtime;
  inherit (buildSet.toolchain) version;
  hostTriple = buildSet.architecture.triple;
  prefix = builtins.replaceStrings [ "_" ] [ "-" ] triple;

  toolchain = runStep {
    name = "toolchain-gcc-${version}-${architecture.machine}";
    script = ./assemble.sh;
    tools = [ patchelf ];
    env = {
      inherit runtime busybox triple hostTriple relocate version;
      loader_path = runtime.loader;
      inherit (architecture) loader;
      programs = buildSet.unpackDebs {
        name = "toolchain-${architecture.machine}-debs";
        packages = [
          "binutils-${prefix}"
          "cpp-${version}-${prefix}"
          "g++-${version}-${prefix}"
          "gcc-${version}-${prefix}"
          "libbinutils"
          "libcc1-0"
          "libctf-nobfd0"
          "libctf0"
          "libgprofng0"
        ];
      };
      sysroot = unpackDebs {
        name = "sysroot-${architecture.machine}-debs";
        packages = [
          "libatomic1"
          "libc6"
          "libc6-dev"
          "libcrypt-dev"
          "libcrypt1"
          "libgcc-${version}-dev"
          "libgcc-s1"
          "libgomp1"
          "libstdc++-${version}-dev"
          "libstdc++6"
          "linux-libc-dev"
        ];
      };
    };
  };
in
toolchain
// { inherit version; }
