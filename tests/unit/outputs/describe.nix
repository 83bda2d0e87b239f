{ plan, outputs, ... }:
let
  inherit (builtins) filter head isList isString;
  inherit (outputs.variant) makeVariant;
  kernel = plan.kernel.readKernel {
    root = ../kernels/relu;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
  cuda = head (filter (variant: variant.name == "torch213-cxx11-cu130-x86_64-linux") kernel.variants);
  describe =
    more:
    makeVariant {
      inherit kernel;
      options.localKernels = { };
      system = "x86_64-linux";
      packageSet = {
        forPlan = _: { dependencies = { }; };
        hasTorch = _: true;
        importObstacle = _: null;
        compileObstacle = _: null;
      }
      // more;
    };
  answersOf = more: { inherit ((describe more cuda).details) import shell tests notImported warnings; };
  none = { import = "yes"; shell = "yes"; tests = "yes"; notImported = null; warnings = [ ]; };
  unavailable = describe { hasTorch = _: false; } cuda;
  lack = "it lacks a library";
in
{
  describeOutput = {
    # tests/cli/test_list_variants.py has a whole text.
    details = [
      (let
        inherit (describe { } cuda) details;
      in
      { inherit (details) name components torchVersion pre partial unavailable; end = builtins.match ".*(\n  import.*)" details.text; })
      {
        inherit (cuda) name;
        components = [ { name = "relu_cuda"; targets = cuda.targets."kernel.relu_cuda"; } ];
        torchVersion = cuda.torch;
        pre = null;
        partial = [ ];
        unavailable = null;
        end = [ "\n  import: yes\n  shell: yes\n  tests: yes" ];
      }
    ];
    shellsOfWhatOnlyImports = [
      (answersOf { importObstacle = { isUsed, ... }: if isUsed then lack else null; })
      (none // { shell = "compiles only: ${lack}"; tests = "no: ${lack}"; })
    ];
    # It is a note, because users cannot change it.
    notImportedIsNoWarning = [
      (answersOf { importObstacle = { isUsed, ... }: if isUsed then null else lack; })
      (none // { import = "no: ${lack}"; notImported = lack; })
    ];
    nothingOfWhatIsNotBuilt = [
      (answersOf { hasTorch = _: false; })
      (none // builtins.mapAttrs (_: _: "no: it cannot be built") { import = 1; shell = 1; tests = 1; })
    ];
    # Users see the whole version where it is not the release of the variant's name.
    wholeVersions = [
      (describe { } (cuda // { wheel.build = "2.16.0.dev20261101+acme"; })).details.torchVersion
      "2.16.0.dev20261101+acme"
    ];
    preReleases =
      let
        pre = describe { } (cuda // { pre = "2.16.0rc1"; torchBuild = "2.16.0rc1+cu130"; torch = "2.16.0"; });
        said = "torch: 2.16.0rc1+cu130\n  pre-release: upload refuses it, until Torch 2.16.0 is out\n";
      in
      [ [ pre.entry.pre (builtins.replaceStrings [ said ] [ "" ] pre.details.text != pre.details.text) ] [ "2.16.0rc1" true ] ];
    explainedPlan =
      let
        plan = unavailable.explainedPlan;
      in
      [
        [ plan.variant plan.problems (isString plan.unavailable) (isList plan.warnings) (plan.units != [ ]) ]
        [ cuda.name [ ] true true true ]
      ];
  };
}
