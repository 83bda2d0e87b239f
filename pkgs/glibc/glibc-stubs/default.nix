# Empty libraries that kernels are linked with instead of the C library. They have only the symbol
# versions up to the glibc release `cap`, so a kernel loads wherever that glibc or a newer one is.
#
# The linker records the default version of each symbol: in these libraries, the newest up to `cap`.
{ runPython, pythonWith, toolchain, runtime, architecture }:
let
  # The glibc release of manylinux_2_28.
  inherit (builtins.fromJSON (builtins.readFile ./policy.json)) cap;
in
/**
  `lib` has the stubs and, in `libc.so`, an archive of hidden replacements for functions of a newer
  glibc that gcc's own libraries call.

  Type: glibcStubs :: Package
*/
runPython {
  name = "glibc-${cap}-stubs";
  script = ./stubs.py;
  interpreter = pythonWith { name = "glibc-stubs-python"; packages = [ "pyelftools" ]; };
  tools = [ toolchain ];
  env = {
    inherit cap runtime toolchain;
    inherit (architecture) triple loader statVersion;
    replacements = ./replacements.c;
    moved = ./moved.json;
  };
}
