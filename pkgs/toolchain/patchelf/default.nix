# Debian's patchelf. It sets its own interpreter first.
{ runStep, unpackDebs, runtime, architecture }:
runStep {
  name = "patchelf";
  script = ./patch-itself.sh;
  env = {
    inherit runtime;
    inherit (architecture) loader;
    tree = unpackDebs { name = "patchelf-deb"; packages = [ "patchelf" ]; };
  };
}
