{ matrix, ... }@library:
let
  inherit (matrix) compiledVariant systemRows;
  inherit (import ../kernels/small-matrix.nix library)
    linux
    relu
    row
    withTorch
    ;
  variantFor =
    toolkit:
    compiledVariant.makeCompiledVariant relu (
      builtins.head (systemRows.listSystemRows [ (row "2.12.0" "cuda" toolkit linux) ])
    );
in
{
  listComponents.ofTheBackend = {
    expr = compiledVariant.listComponents relu "cuda";
    expected = [ "relu_cuda" ];
  };
  hasCompiledCode.byBackend = {
    expr = map (compiledVariant.hasCompiledCode relu) [
      "cuda"
      "xpu"
    ];
    expected = [
      true
      false
    ];
  };
  findStableAbi = {
    forAllBackends = {
      expr = compiledVariant.findStableAbi (withTorch { stable-abi = "2.11"; }) "cpu";
      expected = "2.11";
    };
    forOne = {
      expr = map (compiledVariant.findStableAbi (withTorch { stable-abi.cuda = "2.11"; })) [
        "cpu"
        "cuda"
      ];
      expected = [
        null
        "2.11"
      ];
    };
  };
  # Apple's clang has no -fopenmp.
  makeCompiledVariant.flagsThatACompilerLacks = {
    expr =
      let
        withFlags = section: section // { cxx-flags = [ "-O2" "-fopenmp" ]; };
        config = relu // {
          components = relu.components // {
            relu_cpu = withFlags relu.components.relu_cpu;
          };
          section = withFlags relu.section;
        };
      in
      map
        (
          system:
          map (warning: "${warning.at}: ${warning.found}")
            (compiledVariant.makeCompiledVariant config (
              builtins.head (systemRows.listSystemRows [ (row "2.13.0" "cpu" null [ system ]) ])
            )).warnings
        )
        [
          "x86_64-linux"
          "aarch64-darwin"
        ];
    expected = [
      [ ]
      [
        "torch.cxx-flags: \"-fopenmp\", left out: the compiler for aarch64-darwin does not have it"
        "kernel.relu_cpu.cxx-flags: \"-fopenmp\", left out: the compiler for aarch64-darwin does not have it"
      ]
    ];
  };
  makeCompiledVariant.nameAndTargets = {
    expr =
      let
        variant = variantFor "13.0";
      in
      {
        inherit (variant) name compiled components;
        hasTargets = variant.targets.relu_cuda != [ ];
      };
    expected = {
      name = "torch212-cxx11-cu130-x86_64-linux";
      compiled = true;
      components = [ "relu_cuda" ];
      hasTargets = true;
    };
  };
}
