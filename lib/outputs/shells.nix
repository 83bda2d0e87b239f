# The outputs for authors of a kernel: shells, the tests of built variants, and tools to run.
{ values, messages, backends, config, matrix, plan, ... }:
let
  inherit (builtins)
    any
    concatMap
    filter
    head
    pathExists
    replaceStrings
    ;
  inherit (values) attributes paths versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) throwProblem;
  inherit (config.dependencies) listProjects;
  inherit (matrix.ranking) sortVariants;
  inherit (plan) imports;

  # What a CMake project of the kernel is built with.
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

      usesTriton = imports.areImporting {
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

      # What a project of CMake and setuptools is written from: the plan with one call of a
      # compiler for all targets of a unit, and a name that is the same for every state of the
      # sources, since such a project is built again and again.
      project =
        variant:
        let
          built = redistributable.${variant.name};
          shaders = map (unit: unit.source) (filter (unit: unit.isEmbedded) built.plan.units);
          plan =
            if shaders == [ ] then
              built.plan
            else
              throwProblem "no project can be written for ${variant.name}" {
                at = "its units";
                found = builtins.toJSON shaders;
                want = "files that CMake compiles";
                fix = "build it with kernel-builder; shaders are embedded by its own steps";
              };
          extension = "_${general.python-name}_${plan.backend}_dev";
          named = map (replaceStrings [ "@extension@" ] [ extension ]);
          # What parts of a unit are told one by one, for a compiler that makes it whole.
          ofParts =
            unit:
            optionals (unit.device != null) (
              concatMap (pass: pass.flags) unit.device.passes
              ++ map (option: "-Xfatbin=${option}") unit.device.packing
            );
        in
        {
          inherit extension;
          inherit (plan)
            kernel
            torch
            variant
            generatedFolder
            pythonFolder
            ;
          inherit (general) license version;
          inherit (config.section) pyext;
          pythonName = general.python-name;
          pythonDepends = projectsOf variant;
          units = map (unit: {
            inherit (unit) source headers compiler;
            flags = unit.flags ++ ofParts unit ++ named unit.nameFlags;
          }) plan.units;
          isLate = any (unit: unit.extensionName == "late") plan.units;
          file = if plan.link == null then "" else head (named [ plan.link.file ]);
          linkArguments = optionals (plan.link != null) plan.link.arguments;
          nameFlags = optionals (plan.link != null) (named plan.link.name.flags);
        };

      # Shells and tests import Torch. A Torch that this Python cannot import still compiles kernels.
      hasImport =
        variant:
        packageSet.importObstacle {
          build = variant.plan.torchBuild;
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
