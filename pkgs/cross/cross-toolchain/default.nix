# gcc 12 and binutils that run here and make code for another processor, and that processor's
# own libraries and headers: one tree, used as `toolchain` is.
{
  runStep,
  unpackDebs,
  buildSet,
  patchelf,
  relocate,
  busybox,
  architecture,
}:
let
  inherit (architecture) triple;
  inherit (buildSet) runtime;
  hostTriple = buildSet.architecture.triple;
  prefix = builtins.replaceStrings [ "_" ] [ "-" ] triple;
in
runStep {
  name = "toolchain-gcc-12-${architecture.machine}";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit
      runtime
      busybox
      triple
      hostTriple
      relocate
      ;
    loader_path = "${runtime}/lib/${buildSet.architecture.loader}";
    inherit (architecture) loader;
    programs = buildSet.unpackDebs {
      name = "toolchain-${architecture.machine}-debs";
      packages = [
        "binutils-${prefix}"
        "cpp-12-${prefix}"
        "g++-12-${prefix}"
        "gcc-12-${prefix}"
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
        "libgcc-12-dev"
        "libgcc-s1"
        "libgomp1"
        "libstdc++-12-dev"
        "libstdc++6"
        "linux-libc-dev"
      ];
    };
  };
}
