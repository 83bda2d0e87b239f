# Shells for authors of a kernel, and the tests and benchmarks of built variants.
{ values, messages, backends, config, matrix, plan, outputs, ... }:
let
  inherit (builtins) filter head;
  inherit (values) attributes paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals unique;
  inherit (messages.check) throwProblem;
  inherit (config.dependencies) listProjects;
  inherit (matrix.ranking) sortVariants;
  inherit (plan.imports) isImported;
  inherit (outputs.localKernels) writeLocalKernels;

  # The tools that build the CMake project of a kernel.
  buildTools = [ "cmake" "ninja" "pip" "setuptools" "wheel" ];

  usesTriton =
    { kernel, options, ... }:
    isImported {
      root = options.path;
      folders = [ kernel.config.pythonFolder "tests" "benchmarks" ];
      module = "triton";
    };

  # The Python environment `name` of a shell or test of the variant `variant`: the kernel's dependencies, `packages`, and
  # the flake's check inputs.
  makeEnvironment =
    here: name: variant: packages:
    let
      inherit (here.kernel) config;
      set = here.packageSet.forPlan variant.plan;
      triton = set.tritonBeside variant.plan.torchBuild;
      # Packages of `kernel-builder add-test-package`. An environment cannot have two versions of one package, so those of
      # the set come first.
      lock = here.options.path + "/test-packages.lock";
      locked = if builtins.pathExists lock then set.fromIndex { pins = lock; } else { };
      resolve =
        input:
        if builtins.isString input && !(set.pythonPackages ? ${input}) then locked.${input} or input else input;
      # Python packages come last, so that their names win over names of other packages.
      offered =
        set
        // locked
        // set.pythonPackages
        // { inherit (set) fromIndex torch; }
        // optionalAttrs (triton != [ ]) { triton = head triton; };
    in
    set.authorEnvironment {
      inherit name;
      packages =
        filter (project: set.pythonPackages ? ${project}) (listProjects config variant.backend)
        ++ optionals here.usesTriton triton
        ++ packages;
      inputs = map resolve (
        here.options.pythonNativeCheckInputs offered ++ here.options.pythonCheckInputs offered
      );
    };

  # A development shell has compilers and build tools, and a test shell the built variant.
  makeShell =
    here:
    { kind, isBuilt }:
    variant:
    let
      inherit (here.kernel.config) framework general;
      set = here.packageSet.forPlan variant.plan;
      built = here.redistributable.${variant.name};
      isForDevelopment = kind == "devshell";
      python = makeEnvironment here "${kind}-${general.name}-${variant.name}-python" variant (
        optionals isForDevelopment buildTools ++ optionals isBuilt [ (set.kernelOnPath built) ]
      );
      compilers = set.compilersFor variant;
      # The prompt leaves out the ABI of the C++ library.
      label =
        if variant.compiled && !framework.isOfTorch then
          framework.label { }
        else
          "torch${versions.flat variant.torch}";
    in
    set.kernelShell {
      inherit kind;
      kernel = general.name;
      variant = variant.name;
      label = "${general.name} ${label}-${variant.compute}";
      inherit (python) environment;
      # A test may compile code at run time, so a test shell has a compiler, too.
      tools = python.tools ++ [ set.kernelBuilder ] ++ compilers.tools ++ [ set.bash ];
      inherit (compilers) variables;
      hasVenv = isForDevelopment;
      repository = general.hub.repo-id;
      built = if isBuilt then built else null;
      localKernels = writeLocalKernels here variant;
      notice =
        if here.available.hasTests variant then
          ""
        else
          "this shell compiles for ${variant.name}, but its Torch cannot be imported: ${here.available.testObstacle variant}";
    };

  makeDevShell =
    here: isBuilt:
    makeShell here { kind = "devshell"; inherit isBuilt; };
  makeTestShell =
    here:
    makeShell here { kind = "testshell"; isBuilt = true; };

  # The programs that run a folder of the kernel on a built variant, and the outputs that have them by variant.
  programs = {
    ci-test = { folder = "tests"; output = "ciTests"; };
    benchmark = { folder = "benchmarks"; output = "benchmarks"; };
  };

  # The folder as a store path, or null if the kernel has none.
  storeFolder =
    here: folder:
    let
      files = here.options.path + "/${folder}";
    in
    if builtins.pathExists files then paths.alone files else null;

  makeProgram =
    here: program: variant:
    let
      inherit (here.kernel.config) general;
      inherit (programs.${program}) folder;
      set = here.packageSet.forPlan variant.plan;
      built = here.redistributable.${variant.name};
      python = makeEnvironment here "ci-test-${general.name}-${variant.name}-python" variant [
        (set.kernelOnPath built)
      ];
    in
    set.variantProgram {
      inherit program folder built;
      kernel = general.name;
      variant = variant.name;
      repository = general.hub.repo-id;
      localKernels = writeLocalKernels here variant;
      files = storeFolder here folder;
      operatorCheck = if program == "ci-test" then operatorCheckOf here variant else null;
      python = python.environment;
      inherit (python) tools;
    };

  # The check of the operators that the tests call; null without tests, and for code that needs a device, which no
  # sandbox has.
  operatorCheckOf =
    here: variant:
    let
      inherit (here.kernel.config) general;
      set = here.packageSet.forPlan variant.plan;
      files = storeFolder here "tests";
      # Without the kernel, so that kernels share the environment and its bytecode.
      python = makeEnvironment here "operator-check-python" variant [ ];
    in
    if files == null || !backends.all.${variant.backend}.isEverywhere then
      null
    else
      set.checkOperators {
        inherit files;
        kernel = general.name;
        variant = variant.name;
        repository = general.hub.repo-id;
        localKernels = writeLocalKernels here variant;
        python = set.withBytecode {
          inherit (python) environment;
          modules = [ "kernels" "pytest" "torch.testing._internal.optests" ];
        };
        inherit (python) tools;
      } here.redistributable.${variant.name}.assembled;

  # An output of a variant that can be built; the build of another one throws the reason.
  ifBuildable =
    here: make: variant:
    if here.available.isBuildable variant then make variant else here.redistributable.${variant.name};
  ifTestable =
    here: output: make:
    ifBuildable here (
      variant:
      if here.available.hasTests variant then
        make variant
      else
        throwProblem "nothing can run ${variant.name} on this system" {
          at = "${output}.${variant.name}";
          found = here.available.testObstacle variant;
          want = "a Torch that can be imported";
          fix = "run it elsewhere; kernel-builder build builds it, and kernel-builder devshell compiles it";
        }
    );
in
{
  /**
    The shells, tests and benchmarks of a kernel on one system. `record` is that of `makeKernelOutputs`.

    Every variant has a shell for development, a shell for tests, tests and benchmarks. If Torch cannot be
    imported, the development shell only compiles, and the others throw the reason. `flakeShells`
    has the development shells that do not throw, because `nix flake check` evaluates them all.

    Type: makeShellOutputs :: AttrSet -> AttrSet
  */
  makeShellOutputs =
    record:
    let
      # Whether the kernel, its tests or its benchmarks import Triton is found out once for all variants.
      here = record // { usesTriton = usesTriton record; };
      inherit (here) local;
      inherit (here.available) hasTests isBuildable testObstacle;
      buildable = filter isBuildable local;
      testable = sortVariants (filter hasTests buildable);
      untestable = sortVariants (filter (variant: !hasTests variant) buildable);
      ordered = testable ++ untestable;
      # A shell cannot look at the machine, so its default is a backend that every machine has,
      # if the kernel has one.
      default = head (filter (variant: backends.all.${variant.backend}.isEverywhere) testable ++ ordered);
      makeVariantProgram = program: ifTestable here programs.${program}.output (makeProgram here program);
      chooseProgram =
        program: _:
        here.packageSet.chooseProgram {
          inherit program;
          inherit (programs.${program}) folder output;
          kernel = here.kernel.config.general.name;
          candidates = map (variant: {
            inherit (variant) name backend;
            run = makeVariantProgram program variant;
            build = here.redistributable.${variant.name};
          }) testable;
          untested = unique (map (variant: "${variant.backend}: ${testObstacle variant}") untestable);
        };
      flakeShells =
        attributes.byName (makeDevShell here false) buildable
        // optionalAttrs (buildable != [ ]) {
          # Has the built kernel, so that `nix develop` can run its tests.
          default = makeDevShell here (hasTests default) default;
        }
        // optionalAttrs (testable != [ ]) { test = makeTestShell here default; };
    in
    {
      inherit flakeShells;
      ciTests = attributes.byName (makeVariantProgram "ci-test") local;
      benchmarks = attributes.byName (makeVariantProgram "benchmark") local;
      operatorChecks = attributes.byName (operatorCheckOf here) (
        filter (variant: operatorCheckOf here variant != null) testable
      );
      devShells = attributes.byName (ifBuildable here (makeDevShell here false)) local // flakeShells;
      testShells = attributes.byName (ifTestable here "testShells" (makeTestShell here)) local;
      # The command line takes the first variant that suits the machine.
      authorVariants = map (variant: { inherit (variant) name backend; }) (
        ordered ++ filter (variant: !isBuildable variant) local
      );
    }
    // builtins.mapAttrs chooseProgram programs;
}
