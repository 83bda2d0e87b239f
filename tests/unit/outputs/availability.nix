{ plan, outputs, ... }:
let
  inherit (builtins) filter head;
  inherit (plan.kernel) readKernel;
  inherit (outputs) availability;
  root = ../kernels/relu;
  kernel = readKernel { inherit root; torchVersions = defaults: defaults; brought = [ ]; };
  of = ofKernel kernel;
  ofKernel = withLocal [ ];
  withLocal =
    localKernels: kernel: more:
    availability.describeAvailability {
      inherit kernel localKernels;
      system = "x86_64-linux";
      packageSet = {
        forPlan = _: { dependencies = { }; };
        hasTorch = _: true;
        importObstacle = _: null;
        compileObstacle = _: null;
      }
      // more;
    };
  all = of { };
  onlyImports = { importObstacle = { isUsed, ... }: if isUsed then "it lacks a library" else null; };
  named = name: head (filter (variant: variant.name == name) kernel.variants);
  cpu = named "torch213-cxx11-cpu-x86_64-linux";
  cuda = named "torch213-cxx11-cu130-x86_64-linux";
in
{
  describeAvailability = {
    obstacles = [
      [
        (all.obstacle cpu)
        # A variant without compiled code needs no Torch.
        ((of { hasTorch = _: false; }).obstacle (cuda // { compiled = false; sections = [ ]; }))
        ((of { hasTorch = torch: torch != "2.13.0+cu130"; }).obstacle cuda)
        ((of { compileObstacle = _: "it needs a Mac"; }).obstacle cpu)
        (all.obstacle (cpu // { problems = [ { at = "a"; found = "b"; want = "c"; fix = "d"; } ]; }) != null)
        (builtins.match "cutlass_4_0 is not in the package set, which has eigen; .*" (
          (of { forPlan = _: { dependencies.eigen = null; }; }).obstacle
            (cuda // { sections = map (section: section // { depends = [ "cutlass_4_0" ]; }) cuda.sections; })
        ) != null)
      ]
      [
        null
        null
        "no wheel of Torch 2.13.0+cu130 is pinned for x86_64-linux"
        "it needs a Mac"
        true
        true
      ]
    ];
    importObstacle = [
      (map (more: (of ({ importObstacle = _: "it lacks a library"; } // more)).importObstacle cpu) [
        { }
        # Nothing is built, so nothing is imported.
        { hasTorch = _: false; }
      ])
      [ "it lacks a library" null ]
    ];
    # The `kernels` client would load them from the Hub.
    importOfWhatLoadsOthers = [
      (map
        (
          { local, locked }:
          (withLocal local (kernel // {
            locks = [ { dependency = { repo-id = "a/b"; version = locked; }; } ];
            config = kernel.config // {
              general = kernel.config.general // { kernel-depends = [ { repo-id = "a/b"; version = 1; } ]; };
            };
          }) { }).importObstacle cpu
        )
        [
          { local = [ "c/d" ]; locked = 2; }
          { local = [ "a/b" ]; locked = 2; }
          { local = [ ]; locked = 1; }
        ])
      [
        "it loads kernels that neither kernels.lock nor `localKernels` has (a/b); `nix run .#lock-kernels` locks them"
        null
        null
      ]
    ];
    testObstacle = [ ((of onlyImports).testObstacle cpu) "it lacks a library" ];
    hasTests = [
      (map (packageSet: (of packageSet).hasTests cpu) [ { } onlyImports { hasTorch = _: false; } ])
      [ true false false ]
    ];
    # Libraries that only computing needs are not missing for the import.
    shellsOfWhatOnlyImports = [
      { inherit ((of onlyImports).describe cpu) import shell tests; }
      { import = "yes"; shell = "compiles only: it lacks a library"; tests = "no: it lacks a library"; }
    ];
    nothingOfWhatIsNotBuilt = [
      { inherit ((of { hasTorch = _: false; }).describe cpu) import shell tests; }
      (builtins.mapAttrs (_: _: "no: it cannot be built") { import = 1; shell = 1; tests = 1; })
    ];
    # It is a note, because users cannot change it.
    notImportedIsNoWarning = [
      { inherit ((of { importObstacle = _: "it lacks a library"; }).describe cpu) import warnings; }
      { import = "no: it lacks a library"; warnings = [ ]; }
    ];
    describe = [
      (all.describe cuda)
      {
        inherit (cuda) name backend torch toolkit compute stableAbi compiled bundle hosts warnings;
        components = [ { name = "relu_cuda"; targets = cuda.targets."kernel.relu_cuda"; } ];
        torchVersion = cuda.torch;
        partial = [ ];
        isOfTorch = true;
        notImported = null;
        import = "yes";
        shell = "yes";
        tests = "yes";
        unavailable = null;
        text = builtins.concatStringsSep "\n  " [
          cuda.name
          "backend: cuda ${cuda.toolkit}"
          "torch: ${cuda.torch}"
          "sources: ${builtins.concatStringsSep ", " cuda.hosts}"
          "component relu_cuda: ${builtins.concatStringsSep " " cuda.targets."kernel.relu_cuda"}"
          "import: yes"
          "shell: yes"
          "tests: yes"
        ];
      }
    ];
    # Users see the whole version where it is not the release of the variant's name.
    wholeVersions = [
      (all.describe (cuda // { wheel.build = "2.16.0.dev20261101+acme"; })).torchVersion
      "2.16.0.dev20261101+acme"
    ];
    # Code for TVM FFI does not contain Torch.
    withoutTorch = [
      (let
        axpy = readKernel { root = ../../../examples/axpy; torchVersions = defaults: defaults; brought = [ ]; };
        obstacleWith =
          dependencies:
          (ofKernel axpy { hasTorch = _: false; forPlan = _: { inherit dependencies; }; }).obstacle
            variant;
        variant = head (filter (variant: variant.name == "tvm-ffi01-cpu-x86_64-linux") axpy.variants);
      in
      [ (obstacleWith { tvm-ffi = { }; }) (builtins.isString (obstacleWith { })) ])
      [ null true ]
    ];
    planTellsWhatIsWrong =
      let
        plan = (of { hasTorch = _: false; }).plan cuda;
      in
      [
        [ plan.variant plan.problems (builtins.isString plan.unavailable) (builtins.isList plan.warnings) (plan.units != [ ]) ]
        [ cuda.name [ ] true true true ]
      ];
  };
}
