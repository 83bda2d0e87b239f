# Shells, tests, benchmarks and the CMake project of a variant, for authors on a machine of the kernel's system.
{
  values,
  messages,
  backends,
  config,
  plan,
  ...
}:
let
  inherit (builtins) filter fromJSON head readFile;
  inherit (values) versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) throwProblem;
  inherit (config.dependencies) listProjects;
  inherit (plan.project) planProject;

  table = fromJSON (readFile ./author-table.json);

  # The Python environment `name` of a shell or test of a variant: the kernel's dependencies, `packages`, and the
  # flake's check inputs.
  makeEnvironment =
    context: output: name: packages:
    let
      inherit (context) kernel options;
      inherit (output) set;
      triton = set.tritonBeside output.plan.torchBuild;
      # Packages of `kernel-builder add-test-package`. An environment cannot have two versions of one package, so those of
      # the set come first.
      lock = options.path + "/test-packages.lock";
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
        filter (project: set.pythonPackages ? ${project}) (listProjects kernel.config output.backend)
        ++ optionals context.authorsUseTriton triton
        ++ packages;
      inputs = map resolve (
        options.pythonNativeCheckInputs offered ++ options.pythonCheckInputs offered
      );
    };

  # The names that shells and programs of a variant have.
  namesOf =
    { kernel, ... }:
    output:
    let
      inherit (kernel.config) general;
    in
    {
      inherit (output) localKernels;
      kernel = general.name;
      variant = output.name;
      repository = general.hub.repo-id;
    };

  # A development shell has compilers and build tools, and a test shell the built variant.
  makeShell =
    context: output: kind: isBuilt:
    let
      inherit (context.kernel.config) framework general;
      inherit (output) build set;
      isForDevelopment = kind == "devshell";
      python = makeEnvironment context output "${kind}-${general.name}-${output.name}-python" (
        optionals isForDevelopment table.buildTools ++ optionals isBuilt [ (set.kernelOnPath build) ]
      );
      compilers = set.compilersFor output;
      # The prompt leaves out the ABI of the C++ library.
      label =
        if output.compiled && !framework.isOfTorch then
          framework.label { }
        else
          "torch${versions.flat output.torch}";
    in
    set.kernelShell (
      namesOf context output
      // {
        inherit kind;
        label = "${general.name} ${label}-${output.compute}";
        inherit (python) environment;
        # A test may compile code at run time, so a test shell has a compiler, too.
        tools = python.tools ++ [ set.kernelBuilder ] ++ compilers.tools ++ [ set.bash ];
        inherit (compilers) variables;
        hasVenv = isForDevelopment;
        built = if isBuilt then build else null;
        notice =
          if output.cannotTest == null then
            ""
          else
            "this shell compiles for ${output.name}, but its Torch cannot be imported: ${output.cannotTest}";
      }
    );

  makeProgram =
    context: output: program:
    let
      inherit (context.kernel.config.general) name;
      inherit (output) build set;
      inherit (table.programs.${program}) folder;
      python = makeEnvironment context output "ci-test-${name}-${output.name}-python" [
        (set.kernelOnPath build)
      ];
    in
    set.variantProgram (
      namesOf context output
      // {
        inherit program folder;
        built = build;
        files = context.folderOf folder;
        operatorCheck = if program == "ci-test" then output.operatorCheck else null;
        python = python.environment;
        inherit (python) tools;
      }
    );

  makeOperatorCheck =
    context: output:
    let
      inherit (output) set;
      files = context.folderOf "tests";
      # Without the kernel, so that kernels share the environment and its bytecode.
      python = makeEnvironment context output "operator-check-python" [ ];
    in
    if files == null || !backends.all.${output.backend}.isEverywhere then
      null
    else
      set.checkOperators (
        namesOf context output
        // {
          inherit files;
          python = set.withBytecode {
            inherit (python) environment;
            modules = table.checkedModules;
          };
          inherit (python) tools;
        }
      ) output.build.assembled;

  makeProject =
    { kernel, packageSet, ... }:
    output:
    let
      inherit (kernel) config;
      project = planProject {
        inherit config;
        inherit (output) plan;
        pythonDepends = listProjects config output.backend;
      };
    in
    project // { files = packageSet.projectFiles project; };
in
{
  /**
    The programs that run a folder of the kernel on a built variant. `field` is the field of an Output with the
    program, and `output` the kernel's output with the programs by variant.

    Type: programs :: { ${program} :: { folder, field, output :: String; }; }
  */
  inherit (table) programs;

  /**
    The fields of a variant that cannot be built throw the reason, and those that import the variant throw the reason
    why nothing can. If Torch cannot be imported, a shell for development only compiles. `defaultShell` has the built
    kernel, so that `nix develop` can run its tests. `operatorCheck` checks the operators that the tests call; it is
    null without tests, and for code that needs a device, which no sandbox has.

    Type: makeAuthorOutputs :: Context -> Output -> { devShell, defaultShell, testShell, ciTest, benchmark ::
      Derivation; operatorCheck :: Derivation | Null; project :: AttrSet; }
  */
  makeAuthorOutputs =
    context: output:
    let
      isTestable = output.cannotTest == null;
      # The build of a variant that cannot be built throws the reason.
      unlessRefused = value: if output.cannotBuild == null then value else output.build;
      unlessUntestable =
        attribute: value:
        unlessRefused (
          if isTestable then
            value
          else
            throwProblem "nothing can run ${output.name} on this system" (
              (readCatalogue ./author.json).untestable {
                at = "${attribute}.${output.name}";
                reason = output.cannotTest;
              }
            )
        );
      shell = makeShell context output;
    in
    {
      devShell = unlessRefused (shell "devshell" false);
      defaultShell = unlessRefused (shell "devshell" isTestable);
      testShell = unlessUntestable "testShells" (shell "testshell" true);
      operatorCheck = makeOperatorCheck context output;
      project = unlessRefused (makeProject context output);
      ciTest = unlessUntestable "ciTests" (makeProgram context output "ci-test");
      benchmark = unlessUntestable "benchmarks" (makeProgram context output "benchmark");
    };
}
