# `xpuOcloc`: ocloc, which compiles code for Intel's GPUs ahead of time, and the compiler that it loads. Intel's
# packages for Debian contain ocloc; the packages of oneAPI do not.
{ fetchVendor, patchelf, relocate, runStep, runtime, unpackDebs }:
runStep {
  name = "ocloc";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit relocate runtime;
    loader_path = runtime.loader;
    tree = unpackDebs {
      name = "ocloc-debs";
      archives = map fetchVendor (builtins.fromJSON (builtins.readFile ./pins.json));
    };
  };
}
