# What kernels are linked with instead of the C library: empty libraries that offer only
# what glibc had at version `cap`, so that a kernel built here loads wherever that glibc is.
#
# The linker records, for each function, the version that the library calls the default. In
# these libraries that is the newest one up to the cap: nothing newer can be asked for.
{
  runPython,
  pythonWith,
  toolchain,
  runtime,
  architecture,
}:
let
  # That of the policy that kernels keep.
  inherit (builtins.fromJSON (builtins.readFile ./policy.json)) cap;
in
/**
  `lib` holds the stubs and, in `libc.so`, an archive of hidden replacements for what gcc's
  own libraries want of a newer glibc.

  # Type

  ```
  glibcStubs :: Package
  ```
*/
runPython {
  name = "glibc-${cap}-stubs";
  script = ./stubs.py;
  interpreter = pythonWith {
    name = "glibc-stubs-python";
    packages = [ "pyelftools" ];
  };
  tools = [ toolchain ];
  env = {
    inherit cap runtime toolchain;
    inherit (architecture) triple loader;
    replacements = ./replacements.c;
    moved = ./moved.json;
  };
}
