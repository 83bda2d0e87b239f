# gcc 12, binutils and glibc's headers out of Debian's packages: one tree that is
# sysroot and compiler at once. `bin/g++` and its sisters pass `--sysroot` themselves.
{
  runStep,
  unpackDebs,
  runtime,
  patchelf,
  relocate,
  busybox,
  architecture,
}:
let
  inherit (architecture) triple;
in
runStep {
  name = "toolchain-gcc-12";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit
      runtime
      busybox
      triple
      relocate
      ;
    loader_path = "${runtime}/lib/${architecture.loader}";
    inherit (architecture) loader;
    tree = unpackDebs {
      name = "toolchain-debs";
      packages = [
        "binutils-${builtins.replaceStrings [ "_" ] [ "-" ] triple}"
        "cpp-12"
        "g++-12"
        "gcc-12"
        "libatomic1"
        "libbinutils"
        "libc6"
        "libc6-dev"
        "libcc1-0"
        "libcrypt-dev"
        "libcrypt1"
        "libctf-nobfd0"
        "libctf0"
        "libgcc-12-dev"
        "libgcc-s1"
        "libgomp1"
        "libgprofng0"
        "libstdc++-12-dev"
        "libstdc++6"
        "linux-libc-dev"
      ];
    };
  };
}
