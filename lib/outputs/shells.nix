# The outputs for authors of a kernel: shells, the tests of built variants, and tools to run.
{ values, backends, config, matrix, plan, ... }:
let
  inherit (builtins) filter head pathExists;
  inherit (values) attributes paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
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
    "project"
    "testShells"
  ];

  /**
    The outputs for authors of a kernel on one system.

    `buildable` are its variants that can be built there, `setFor` returns the package set of a
    variant, `redistributable` has the builds, and `localFor` names the local builds of other
    kernels that a variant loads.

    # Type

    ```
    makeShellOutputs :: {
      config :: Config; root :: Path; packageSet :: PackageSet; buildable :: [Variant];
      setFor :: Variant -> PackageSet; redistributable :: { ${name} :: Derivation; };
      checkInputs :: PackageSet -> [String | Package]; localFor :: Variant -> String;
    } -> AttrSet
    ```
  */
  makeShellOutputs =
    {
      config,
      root,
      packageSet,
      buildable,
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
        };

      makeDevShell =
        variant:
        makeShell {
          inherit variant;
          kind = "devshell";
          isBuilt = false;
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

      # Shells and tests import Torch. A Torch that this Python cannot import still compiles kernels.
      hasImport =
        variant:
        packageSet.importObstacle {
          inherit (variant) plan;
          isUsed = true;
        } == null;
      usable = filter hasImport buildable;
      ordered = sortVariants usable;
      # A shell cannot look at the machine, so its default is a backend that every machine has,
      # if the kernel has one.
      default = head (filter (variant: backends.all.${variant.backend}.isEverywhere) ordered ++ ordered);
      ciTests = attributes.byName makeTest usable;
    in
    {
      inherit ciTests;
      devShells =
        attributes.byName makeDevShell usable
        // optionalAttrs (usable != [ ]) {
          # Has the built kernel, so that `nix develop` can run its tests.
          default = makeShell {
            variant = default;
            kind = "devshell";
            isBuilt = true;
            hasCompilers = true;
          };
          test = makeTestShell default;
        };
      testShells = attributes.byName makeTestShell usable;
      project = attributes.byName project buildable;
      # The command line takes the first variant that suits the machine.
      authorVariants = map (variant: {
        inherit (variant) name backend;
        hasShell = hasImport variant;
      }) (ordered ++ sortVariants (filter (variant: !hasImport variant) buildable));
      ci-test = packageSet.chooseTests {
        kernel = general.name;
        candidates = map (variant: {
          inherit (variant) name backend;
          test = ciTests.${variant.name};
          build = redistributable.${variant.name};
        }) ordered;
      };
    }
    // attributes.generate [
      "build-and-copy"
      "build-and-upload"
      "create-pyproject"
    ] packageSet.kernelTool;
}
