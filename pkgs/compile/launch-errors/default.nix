# `launchErrors`: For each backend, the archive of the functions that replace its launch functions in a link, compiled
# with the headers of one toolkit. All kernels share the archive, because the link supplies the texts about a variant.
{ lib, runStep, toolchain, toolkit, toolkitPackages }:
let
  # The folder is one store path, because each variant of a kernel evaluates this package again.
  shared = lib.values.paths.alone ./archive;
in
builtins.mapAttrs (
  backend:
  { launches, ... }:
  runStep {
    name = "${backend}-${toolkit}-launch-errors";
    script = "${shared}/compile.sh";
    tools = [ toolchain ];
    env = {
      inherit (launches) source;
      inherit shared toolchain;
      headers = toolkitPackages.${launches.package}.dev;
    };
  }
) lib.backends.all
