# The outputs for authors of a kernel: shells, the tests of built variants, and tools to run.
{ values, messages, backends, config, matrix, plan, ... }:
let
  inherit (builtins)
    filter
    head
    pathExists
    ;
  inherit (values) attributes paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals unique;
  inherit (messages.check) throwProblem;
  inherit (config.dependencies) listProjects;
  inherit (matrix.ranking) sortVariants;
  inherit (plan.imports) isImported;

  # The tools that build the CMake project of a kernel.
  buildTools = [
    "cmake"
    "ninja"
    "pip"
    "setuptools"
    "wheel"
  ];
in
{
  /** The names of the outputs that `makeShellOutputs` returns. */
  authorOutputs = [
    "authorVariants"
    "build-and-copy"
    "build-and-upload"
    "ci-test"
    "ciTests"
    "create-pyproject"
    "devShells"
    "flakeShells"
    "lock-kernels"
    "project"
    "testShells"
  ];

  /**
    The outputs for authors of a kernel on one system.

    `local` are its variants for this system, and `available` describes them
    (`describeAvailability`). `setFor` returns the package set of a variant, `redistributable` has
    the builds, and `localFor` names the local builds of other kernels that a variant loads.

    Every variant has a shell for development, a shell for tests, and tests. If Torch cannot be
    imported, the development shell only compiles, and the other two throw the reason. `flakeShells`
    has the development shells that do not throw, because `nix flake check` evaluates them all.

    Type: makeShellOutputs :: { config :: Config; root :: Path; packageSet :: PackageSet; local :: [Variant];
      available :: AttrSet; setFor :: Variant -> PackageSet; redistributable :: { ${name} :: Derivation; };
      checkInputs :: PackageSet -> [String | Package]; localFor :: Variant -> String; } -> AttrSet
  */
  makeShellOutputs =
    {
      config,
      root,
      packageSet,
      local,
      available,
      setFor,
      redistributable,
      checkInputs,
      localFor,
    }:
    let
      inherit (config) general;
      has = name: pathExists (root + "/${name}");
      projectsOf = variant: listProjects config variant.backend;

      # The prompt leaves out the ABI of the C++ library.
      shortLabelOf =
        variant:
        if variant.compiled && !config.framework.isOfTorch then
          config.framework.label { }
        else
          "torch${versions.flat variant.torch}";

      usesTriton = isImported {
        inherit root;
        folders = [
          "${config.framework.folder}/${general.python-name}"
          "tests"
          "benchmarks"
        ];
        module = "triton";
      };

      # The Python environment of a shell or test: the kernel's dependencies, `packages`, and the
      # flake's check inputs.
      environmentOf =
        variant: kind: packages:
        let
          set = setFor variant;
          triton = set.tritonBeside variant.plan.torchBuild;
          # Python packages come last, so that their names win over names of other packages.
          offered =
            set
            // set.pythonPackages
            // {
              inherit (set) fromIndex torch;
            }
            // optionalAttrs (triton != [ ]) { triton = head triton; };
        in
        set.authorEnvironment {
          name = "${kind}-${general.name}-${variant.name}-python";
          packages =
            filter (project: set.pythonPackages ? ${project}) (projectsOf variant)
            ++ optionals usesTriton triton
            ++ packages;
          inputs = checkInputs offered;
        };

      makeShell =
        {
          variant,
          kind,
          isBuilt,
          hasCompilers,
        }:
        let
          set = setFor variant;
          built = redistributable.${variant.name};
          python = environmentOf variant kind (
            optionals hasCompilers buildTools
            ++ optionals isBuilt [ (set.kernelOnPath built) ]
          );
          compilers = set.compilersFor variant;
        in
        set.kernelShell {
          inherit kind;
          kernel = general.name;
          variant = variant.name;
          label = "${general.name} ${shortLabelOf variant}-${variant.compute}";
          inherit (python) environment;
          tools =
            python.tools
            ++ [ set.kernelBuilder ]
            # A test may compile code at run time, so a test shell has a compiler, too.
            ++ compilers.tools
            ++ [ set.bash ];
          inherit (compilers) variables;
          hasVenv = hasCompilers;
          repository = general.hub.repo-id;
          built = if isBuilt then built else null;
          localKernels = localFor variant;
          notice =
            if hasTests variant then
              ""
            else
              "this shell compiles for ${variant.name}, but its Torch cannot be imported: ${testObstacle variant}";
        };

      makeDevShell =
        isBuilt: variant:
        makeShell {
          inherit variant isBuilt;
          kind = "devshell";
          hasCompilers = true;
        };
      makeTestShell =
        variant:
        makeShell {
          inherit variant;
          kind = "testshell";
          isBuilt = true;
          hasCompilers = false;
        };

      makeTest =
        variant:
        let
          set = setFor variant;
          python = environmentOf variant "ci-test" [
            (set.kernelOnPath redistributable.${variant.name})
          ];
        in
        set.testVariant {
          kernel = general.name;
          variant = variant.name;
          repository = general.hub.repo-id;
          built = redistributable.${variant.name};
          localKernels = localFor variant;
          tests = if has "tests" then paths.alone (root + "/tests") else null;
          python = python.environment;
          inherit (python) tools;
        };

      project =
        variant:
        let
          values = plan.project.planProject {
            inherit config;
            inherit (variant) plan;
            pythonDepends = projectsOf variant;
          };
        in
        values // { files = packageSet.projectFiles values; };

      inherit (available) isBuildable testObstacle;
      hasTests = variant: isBuildable variant && testObstacle variant == null;
      # The build of a variant that cannot be built throws the reason.
      ifBuildable =
        make: variant:
        if isBuildable variant then make variant else redistributable.${variant.name};
      ifTestable =
        output: make:
        ifBuildable (
          variant:
          if hasTests variant then
            make variant
          else
            throwProblem "nothing can run ${variant.name} on this system" {
              at = "${output}.${variant.name}";
              found = testObstacle variant;
              want = "a Torch that can be imported";
              fix = "run it elsewhere; kernel-builder build builds it, and kernel-builder devshell compiles it";
            }
        );

      buildable = filter isBuildable local;
      testable = sortVariants (filter hasTests buildable);
      untestable = sortVariants (filter (variant: !hasTests variant) buildable);
      ordered = testable ++ untestable;
      # A shell cannot look at the machine, so its default is a backend that every machine has,
      # if the kernel has one.
      default = head (filter (variant: backends.all.${variant.backend}.isEverywhere) testable ++ ordered);
      makeTests = ifTestable "ciTests" makeTest;
      makeTestShells = ifTestable "testShells" makeTestShell;

      flakeShells =
        attributes.byName (makeDevShell false) buildable
        // optionalAttrs (buildable != [ ]) {
          # Has the built kernel, so that `nix develop` can run its tests.
          default = makeDevShell (hasTests default) default;
        }
        // optionalAttrs (testable != [ ]) { test = makeTestShell default; };
    in
    {
      inherit flakeShells;
      ciTests = attributes.byName makeTests local;
      devShells = attributes.byName (ifBuildable (makeDevShell false)) local // flakeShells;
      testShells = attributes.byName makeTestShells local;
      project = attributes.byName (ifBuildable project) local;
      # The command line takes the first variant that suits the machine.
      authorVariants = map (variant: { inherit (variant) name backend; }) (
        ordered ++ filter (variant: !isBuildable variant) local
      );
      ci-test = packageSet.chooseTests {
        kernel = general.name;
        candidates = map (variant: {
          inherit (variant) name backend;
          test = makeTests variant;
          build = redistributable.${variant.name};
        }) testable;
        untested = unique (map (variant: "${variant.backend}: ${testObstacle variant}") untestable);
      };
    }
    // attributes.generate [
      "build-and-copy"
      "build-and-upload"
      "create-pyproject"
    ] packageSet.kernelTool;
}
