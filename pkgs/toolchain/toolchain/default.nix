# gcc, binutils and glibc's headers from Debian's packages: one tree that is both the sysroot and
# the compiler. The programs in `bin` pass `--sysroot` themselves.
{
  architecture,
  busybox,
  patchelf,
  readWords,
  relocate,
  runStep,
  runtime,
  unpackDebs,
}:
let
  inherit (architecture) triple;
  # As names of packages have it.
  prefix = builtins.replaceStrings [ "_" ] [ "-" ] triple;
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
        packages = readWords { inherit prefix version; } ./debs.json;
      };
    };
  };
in
toolchain
// {
  /** The major version of gcc. */
  inherit version;
}
