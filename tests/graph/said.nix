# All that is built or said of the kernels in `roots`, without a package set: what a key of
# build.toml or of the matrix can change. `change` is what becomes of the default rows.
{
  lib,
  roots,
  change,
}:
let
  lib' = import lib;
  said =
    root:
    let
      kernel = lib'.kernel.readKernel {
        inherit root;
        torchVersions = change;
        brought = [ ];
      };
      inherit (kernel) config;
    in
    {
      inherit (config) warnings;
      inherit (kernel) variants;
      metadata = map (variant: lib'.metadata.metadataOf { inherit config variant; }) kernel.variants;
      card = lib'.cardValues.valuesOf {
        inherit config;
        inherit (kernel) variants;
        benchmarks = [ ];
      };
      python = "${lib'.pythonFiles.filesOf { inherit root config; }}";
      order = map (system: map (variant: variant.name) (lib'.ranking.best { inherit system; inherit (kernel) variants; })) lib'.systems.all;
    };
in
builtins.mapAttrs (_: said) roots
