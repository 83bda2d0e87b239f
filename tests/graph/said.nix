# All that is built or said of the kernels in `roots`, without a package set: what a key of
# build.toml or of the matrix can change. `change` is what becomes of the default rows.
{ lib, roots, change, }:
let
  lib' = import lib;
  said =
    root:
    let
      kernel = lib'.plan.kernel.readKernel { inherit root; torchVersions = change; brought = [ ]; };
      inherit (kernel) config;
    in
    {
      inherit (config) warnings;
      inherit (kernel) variants;
      metadata = map (variant: lib'.outputs.metadata.makeMetadata { inherit config variant; }) kernel.variants;
      card = lib'.outputs.cardValues.makeCard { inherit config; inherit (kernel) variants; benchmarks = [ ]; };
      python = "${lib'.plan.pythonFiles.selectPythonFiles { inherit root config; }}";
      order = map (system: map (variant: variant.name) (lib'.matrix.ranking.selectBestVariants (builtins.filter (variant: variant.system == system) kernel.variants))) lib'.platforms.systems.all;
    };
in
builtins.mapAttrs (_: said) roots
