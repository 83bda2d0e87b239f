# Values of the library that tables in the documents show; tables.py writes the tables.
{ library, project }:
let
  inherit (builtins) attrNames concatMap head mapAttrs;
  inherit (library) backends config matrix;

  # It has code for every backend with a compiler.
  kernel = project.lib.genKernelFlakeOutputs {
    self = { };
    path = ../../tests/golden/five;
  };
in
{
  # A function of a key is no fact for a table.
  sections = mapAttrs (
    _: section: section // { keys = mapAttrs (_: key: removeAttrs key [ "correct" ]) section.keys; }
  ) config.schema.sections;
  inherit (config.jsonSchema) schema;
  inherit (config.dependencies.table) depends python-depends;

  options = mapAttrs (
    _: option:
    {
      inherit (option) want meaning;
      isRequired = !option ? default;
    }
    // (if builtins.isBool option.default or null then { inherit (option) default; } else { })
  ) library.outputs.options.options;

  wants = mapAttrs (_: type: type.want) library.tables.types;

  backends = mapAttrs (_: backend: {
    generalKeys = attrNames backend.generalKeys;
    toolkit = backend.toolkit.name or null;
    key = backend.targets.key or null;
    releases = if backend.targets == null then { } else backend.toolkit.releases;
  }) backends.all;

  rows = map (
    row: row // { inherit (head (matrix.row.readRow row)) backend compute torch; }
  ) matrix.torchBuilds.default;

  builds = map (row: {
    inherit (row)
      backend
      hosts
      system
      torchBuild
      ;
  }) matrix.torchBuilds.knownRows;

  # From `list-variants --explain`.
  variants = concatMap (
    system:
    map (variant: {
      inherit system;
      inherit (variant)
        compute
        import
        tests
        torch
        ;
    }) kernel.legacyPackages.${system}.variantDetails
  ) library.platforms.systems.all;
}
