{ plan, outputs, ... }:
let
  inherit (builtins) filter head isString match;
  inherit (plan.kernel) readKernel;
  inherit (outputs.variant) makeVariant;
  kernelIn = root: readKernel { inherit root; torchVersions = defaults: defaults; brought = [ ]; };
  relu = kernelIn ../kernels/relu;
  named = name: kernel: head (filter (variant: variant.name == name) kernel.variants);
  cpu = named "torch213-cxx11-cpu-x86_64-linux" relu;
  cuda = named "torch213-cxx11-cu130-x86_64-linux" relu;
  axpy = kernelIn ../../../examples/axpy;

  # The Output of a variant with a package set that builds and imports all, except as `more` says.
  outputOf =
    { kernel ? relu, localKernels ? { }, more ? { } }:
    makeVariant {
      inherit kernel;
      options = { inherit localKernels; };
      system = "x86_64-linux";
      packageSet = {
        forPlan = _: { dependencies = { }; };
        hasTorch = _: true;
        importObstacle = _: null;
        compileObstacle = _: null;
      }
      // more;
    };
  withSet = more: outputOf { inherit more; };
  pick = output: { inherit (output) cannotBuild cannotImport cannotTest; };
  allOf = reason: { cannotBuild = reason; cannotImport = reason; cannotTest = reason; };

  lacks = lacking: { importObstacle = { isUsed, ... }: if lacking isUsed then "it lacks a library" else null; };
  onlyImports = lacks (isUsed: isUsed);
  withoutTorch = { hasTorch = torch: torch != "2.13.0+cu130"; };

  # The reason why an import of relu is left out that depends on version 1 of the kernel a/b.
  importOf =
    { local, locked }:
    (outputOf {
      localKernels = local;
      kernel = relu // {
        locks = [ { dependency = { repo-id = "a/b"; version = locked; }; } ];
        config = relu.config // {
          general = relu.config.general // { kernel-depends = [ { repo-id = "a/b"; version = 1; } ]; };
        };
      };
    } cpu).cannotImport;
in
{
  findObstacles = {
    none = [ (pick (withSet { } cpu)) (allOf null) ];
    # What cannot be built is not imported and has no tests, for the same reason.
    torch = [
      (pick (withSet withoutTorch cuda))
      (allOf "no wheel of Torch 2.13.0+cu130 is pinned for x86_64-linux")
    ];
    # A variant without compiled code needs no Torch.
    torchOfPython = [ (withSet withoutTorch (cuda // { compiled = false; sections = [ ]; })).cannotBuild null ];
    compiler = [ (withSet { compileObstacle = _: "it needs a Mac"; } cpu).cannotBuild "it needs a Mac" ];
    problems = [
      (isString (withSet { } (cpu // { problems = [ { at = "a"; found = "b"; want = "c"; fix = "d"; } ]; })).cannotBuild)
      true
    ];
    packages = [
      (match "cutlass_4_0 is not in the package set, which has eigen; .*" (
        (withSet { forPlan = _: { dependencies.eigen = null; }; } (
          cuda // { sections = map (section: section // { depends = [ "cutlass_4_0" ]; }) cuda.sections; }
        )).cannotBuild
      ) != null)
      true
    ];
    # Code for TVM FFI does not contain Torch.
    packagesOfTvmFfi = [
      (map
        (dependencies: isString
          (outputOf {
            kernel = axpy;
            more = { hasTorch = _: false; forPlan = _: { inherit dependencies; }; };
          } (named "tvm-ffi01-cpu-x86_64-linux" axpy)).cannotBuild)
        [ { tvm-ffi = { }; } { } ])
      [ false true ]
    ];
    imports = [
      (pick (withSet (lacks (_: true)) cpu))
      (allOf "it lacks a library" // { cannotBuild = null; })
    ];
    # Libraries that only computing needs are not missing for the import.
    tests = [ (pick (withSet onlyImports cpu)) (allOf null // { cannotTest = "it lacks a library"; }) ];
    # The `kernels` client would load them from the Hub.
    kernels = [
      (map importOf [
        { local."c/d" = { }; locked = 2; }
        { local."a/b" = { }; locked = 2; }
        { local = { }; locked = 1; }
      ])
      [
        "it loads kernels that neither kernels.lock nor `localKernels` has (a/b); `nix run .#lock-kernels` locks them"
        null
        null
      ]
    ];
  };
}
