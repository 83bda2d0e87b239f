# The library: from build.toml to a plan, and from a plan and a package set to the outputs of a
# kernel's flake. Its folders are stages, in the order in which data flows, and each stage is a
# namespace: `lib.config.dependencies.of`, `lib.plan.unit.planUnit`.
#
# A module is a function of the namespaces. It receives only the modules that this list names above it,
# so modules cannot depend on each other in a cycle. Modules in one set are independent of each other.
# All stages but the last are pure; modules of `outputs` receive a package set.
let
  stages = [
    {
      values = [
        {
          attributes = ./values/attributes.nix;
          lists = ./values/lists.nix;
          repository = ./values/repository.nix;
          storeName = ./values/store-name.nix;
          texts = ./values/texts.nix;
          versions = ./values/versions.nix;
        }
        { paths = ./values/paths.nix; }
      ];
    }
    {
      messages = [
        {
          catalogue = ./messages/catalogue.nix;
          commands = ./messages/commands.nix;
          spelling = ./messages/spelling.nix;
        }
        { check = ./messages/check.nix; }
        { records = ./messages/records.nix; }
      ];
    }
    {
      tables = [
        { types = ./tables/types.nix; }
        { reader = ./tables/reader.nix; }
      ];
    }
    { platforms = [ { systems = ./platforms/systems.nix; } ]; }
    {
      compilers = [
        { language = ./compilers/language.nix; }
        { clang = ./compilers/clang.nix; gcc = ./compilers/gcc.nix; }
      ];
    }
    { backends = [ { all = ../backends; } ]; }
    { frameworks = [ { all = ./frameworks; } ]; }
    {
      config = [
        {
          dependencies = ./config/dependencies.nix;
          edits = ./config/editions/edits.nix;
          endings = ./config/sources/endings.nix;
          kernelLocks = ./config/kernel-locks.nix;
          leftOutFiles = ./config/sources/left-out-files.nix;
          schema = ./config/schema;
          sectionRules = ./config/section-rules.nix;
          targets = ./config/targets.nix;
          tree = ./config/sources/tree.nix;
        }
        { sections = ./config/sections.nix; }
        {
          editions = ./config/editions;
          flags = ./config/sources/flags.nix;
          jsonSchema = ./config/schema/json-schema.nix;
          meaning = ./config/meaning.nix;
          publishing = ./config/publishing.nix;
          shape = ./config/shape.nix;
          sources = ./config/sources;
        }
        { buildToml = ./config/build-toml.nix; }
      ];
    }
    {
      matrix = [
        {
          names = ./matrix/names.nix;
          ownWheel = ./matrix/own-wheel.nix;
          ranking = ./matrix/selection/ranking.nix;
          targets = ./matrix/targets.nix;
        }
        { origins = ./matrix/origins.nix; }
        { row = ./matrix/row.nix; variants = ./matrix/variants.nix; }
        {
          bounds = ./matrix/bounds.nix;
          narrowing = ./matrix/selection/narrowing.nix;
          torchBuilds = ./matrix/torch-builds.nix;
        }
        { exclusions = ./matrix/exclusions.nix; }
        { decisions = ./matrix/decisions.nix; }
      ];
    }
    {
      plan = [
        {
          command = ./plan/command.nix;
          flags = ./plan/flags.nix;
          generated = ./plan/generated.nix;
          headers = ./plan/headers;
          imports = ./plan/scan/imports.nix;
          includes = ./plan/scan/includes.nix;
          licences = ./plan/licences.nix;
          project = ./plan/project.nix;
        }
        {
          findings = ./plan/scan/findings.nix;
          includeGraph = ./plan/include-graph.nix;
          link = ./plan/link.nix;
          precompiledHeaders = ./plan/headers/precompiled-headers.nix;
          pythonFiles = ./plan/python-files.nix;
        }
        { sections = ./plan/sections.nix; unit = ./plan/unit.nix; }
        { variant = ./plan/variant.nix; }
        { kernel = ./plan/kernel.nix; }
      ];
    }
    {
      outputs = [
        { versions = ./outputs/versions.nix; }
        {
          cardValues = ./outputs/data/card-values.nix;
          folder = ./outputs/folder.nix;
          kernels = ./outputs/kernels.nix;
          localKernels = ./outputs/local-kernels.nix;
          manifest = ./outputs/data/manifest.nix;
          metadata = ./outputs/data/metadata.nix;
          notice = ./outputs/notice.nix;
          options = ./outputs/options.nix;
          presence = ./outputs/presence.nix;
          wheels = ./outputs/data/wheels.nix;
        }
        {
          author = ./outputs/variant/author.nix;
          build = ./outputs/variant/build.nix;
          context = ./outputs/variant/context.nix;
          describe = ./outputs/variant/describe.nix;
          extras = ./outputs/extras.nix;
          obstacles = ./outputs/variant/obstacles.nix;
        }
        {
          bundles = ./outputs/bundles.nix;
          shells = ./outputs/shells.nix;
          variant = ./outputs/variant;
        }
        { kernel = ./outputs/kernel.nix; }
        { flake = ./outputs/flake.nix; }
      ];
    }
  ];

  addStage =
    library: stage:
    let
      name = builtins.head (builtins.attrNames stage);
      addModules =
        library: modules:
        library
        // {
          ${name} = library.${name} or { } // builtins.mapAttrs (_: file: import file library) modules;
        };
    in
    builtins.foldl' addModules library stage.${name};
in
builtins.foldl' addStage { } stages
