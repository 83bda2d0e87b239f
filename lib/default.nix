# The library: from build.toml to a plan, and from a plan and a package set to what a kernel's
# flake gives. Its folders are stages, in the order in which data flows.
#
# A module is a function of the library as it is so far: it is given what stands above it here
# and nothing else, so no two modules can need each other. Those that share a line are
# independent. All stages but the last are pure; `outputs` is handed a package set.
let
  values = [
    {
      attributes = ./values/attributes.nix;
      lists = ./values/lists.nix;
      storeName = ./values/store-name.nix;
      versions = ./values/versions.nix;
    }
    { paths = ./values/paths.nix; }
  ];

  messages = [
    {
      commands = ./messages/commands.nix;
      spelling = ./messages/spelling.nix;
    }
    { check = ./messages/check.nix; }
    { types = ./messages/types.nix; }
    { section = ./messages/section.nix; }
  ];

  backends = [
    { backends = ./backends; }
    {
      endings = ./backends/endings.nix;
      presence = ./backends/presence.nix;
      systems = ./backends/systems.nix;
      targets = ./backends/targets.nix;
    }
  ];

  frameworks = [ { frameworks = ./frameworks; } ];

  config = [
    {
      edits = ./config/editions/edits.nix;
      includeFlags = ./config/sources/include-flags.nix;
      schema = ./config/schema;
      tree = ./config/sources/tree.nix;
    }
    {
      editions = ./config/editions;
      jsonSchema = ./config/schema/json-schema.nix;
      meaning = ./config/meaning.nix;
      shape = ./config/shape.nix;
      sources = ./config/sources;
    }
    { config = ./config; }
    { update = ./config/update.nix; }
  ];

  matrix = [
    {
      bounds = ./matrix/bounds.nix;
      names = ./matrix/names.nix;
      published = ./matrix/published.nix;
      ranking = ./matrix/selection/ranking.nix;
      row = ./matrix/row.nix;
    }
    {
      matrix = ./matrix;
      variants = ./matrix/variants.nix;
    }
    { narrowing = ./matrix/selection/narrowing.nix; }
  ];

  plan = [
    {
      command = ./plan/command.nix;
      headers = ./plan/headers;
      imports = ./plan/scan/imports.nix;
      includes = ./plan/scan/includes.nix;
      link = ./plan/link.nix;
      pythonFiles = ./plan/python-files.nix;
    }
    {
      graph = ./plan/graph.nix;
      precompiled = ./plan/headers/precompiled.nix;
    }
    { unit = ./plan/unit.nix; }
    { plan = ./plan; }
    { kernel = ./plan/kernel.nix; }
  ];

  outputs = [
    {
      availability = ./outputs/availability.nix;
      cardValues = ./outputs/data/card-values.nix;
      folder = ./outputs/folder.nix;
      localKernels = ./outputs/local-kernels.nix;
      manifest = ./outputs/data/manifest.nix;
      metadata = ./outputs/data/metadata.nix;
      notice = ./outputs/notice.nix;
      shellOutputs = ./outputs/shell-outputs.nix;
    }
    { extras = ./outputs/extras.nix; }
    { kernelOutputs = ./outputs/kernel-outputs.nix; }
    { flakeOutputs = ./outputs/flake-outputs.nix; }
  ];

  add = library: modules: library // builtins.mapAttrs (_: file: import file library) modules;
in
builtins.foldl' add { } (
  values ++ messages ++ backends ++ frameworks ++ config ++ matrix ++ plan ++ outputs
)
