# The evaluation library: pure functions, no derivations, no `system`.
#
# One line per module; a module receives the finished library and names what it
# uses. Laziness ties the knot.
let
  modules = {
    attributes = ./attributes.nix;
    availability = ./availability.nix;
    backends = ./backends;
    capabilities = ./capabilities.nix;
    cardValues = ./card-values.nix;
    check = ./check.nix;
    config = ./config.nix;
    device = ./device.nix;
    editions = ./editions;
    edits = ./edits.nix;
    endings = ./endings.nix;
    entry = ./entry.nix;
    extras = ./extras.nix;
    flakeOutputs = ./flake-outputs.nix;
    folder = ./folder.nix;
    headers = ./headers.nix;
    includes = ./includes.nix;
    jsonSchema = ./json-schema.nix;
    kernelOutputs = ./kernel-outputs.nix;
    lists = ./lists.nix;
    matrix = ./matrix.nix;
    meaning = ./meaning.nix;
    modules = ./modules.nix;
    names = ./names.nix;
    paths = ./paths.nix;
    plan = ./plan.nix;
    scan = ./scan.nix;
    schema = ./schema;
    shape = ./shape.nix;
    shellOutputs = ./shell-outputs.nix;
    sources = ./sources.nix;
    spelling = ./spelling.nix;
    storeName = ./store-name.nix;
    toml = ./toml;
    tree = ./tree.nix;
    types = ./types.nix;
    unit = ./unit.nix;
    update = ./update.nix;
    variants = ./variants.nix;
    versions = ./versions.nix;
  };
  self = builtins.mapAttrs (_: file: import file self) modules;
in
self
