# bash, which `nix develop` requires.
{ runStep, unpackDebs, runtime, patchelf, architecture }:
runStep {
  name = "bash";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit runtime;
    inherit (architecture) triple;
    loader_path = runtime.loader;
    tree = unpackDebs { name = "bash-debs"; packages = [ "bash" "libtinfo6" ]; };
  };
}
