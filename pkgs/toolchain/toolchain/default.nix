# gcc, binutils and glibc's headers from Debian's packages: one tree that is both the sysroot and
# the compiler. The programs in `bin` pass `--sysroot` themselves.
{ runStep, unpackDebs, runtime, patchelf, relocate, busybox, architecture }:
let
  inherit (architecture) triple;
  version = "12";

  toolchain = runStep {
    name = "toolchain-gcc-${version}";
    script = ./assemble.sh;
    tools = [ patchelf ];
    env = {
      inherit runtime busybox triple relocate;
      loader_path = runtime.loader;
      inherit (architecture) loader;
      tree = unpackDebs {
        # Nix starts steps in the order of their names, and nothing takes longer before the first compile.
        name = "compiler-debs";
        packages = [
          "binutils-${builtins.replaceStrings [ "_" ] [ "-" ] triple}"
          "cpp-${version}"
          "g++-${version}"
          "gcc-${version}"
          "libatomic1"
          "libbinutils"
          "libc6"
          "libc6-dev"
          "libcc1-0"
          "libcrypt-dev"
          "libcrypt1"
          "libctf-nobfd0"
          "libctf0"
          "libgcc-${version}-dev"
          "libgcc-s1"
          "libgomp1"
          "libgprofng0"
          "libstdc++-${version}-dev"
          "libstdc++6"
          "linux-libc-dev"
        ];
      };
    };
  };
in
toolchain
// {
  /** The major version of gcc. */
  inherit version;
}
