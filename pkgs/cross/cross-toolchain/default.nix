# `crossToolchain`: gcc and binutils that run on the build machine and compile for another processor, with the libraries
# and headers of that processor. The tree has the layout of `toolchain`.
{
  architecture,
  buildSet,
  busybox,
  patchelf,
  readWords,
  relocate,
  runStep,
  unpackDebs,
}:
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
        packages = readWords { inherit prefix version; } ./programs.json;
      };
      sysroot = unpackDebs {
        name = "sysroot-${architecture.machine}-debs";
        packages = readWords { inherit version; } ./sysroot.json;
      };
    };
  };
in
toolchain
// { inherit version; }
