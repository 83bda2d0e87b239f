# ocloc, which makes code for Intel's GPUs ahead of time, with the compiler that it loads: Intel's own
# packages for Debian, as oneAPI's do not have it.
{
  fetchVendor,
  patchelf,
  relocate,
  runStep,
  runtime,
  unpackDebs,
}:
runStep {
  name = "ocloc";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit relocate runtime;
    loader_path = runtime.loader;
    tree = unpackDebs {
      name = "ocloc-debs";
      packages = [ ];
      archives = map fetchVendor (builtins.fromJSON (builtins.readFile ./pins.json));
    };
  };
}
