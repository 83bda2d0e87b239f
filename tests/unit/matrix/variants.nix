{ variants, ... }@library:
let
  inherit (import ../kernels/small-matrix.nix library) linux relu row withTorch;
in
{
  hasCompiledCode.byBackend = [ (map (variants.hasCompiledCode relu) [ "cuda" "xpu" ]) [ true false ] ];
  findStableAbi = {
    forAllBackends = [ (variants.findStableAbi (withTorch { stable-abi = "2.11"; }) "cpu") "2.11" ];
    forOne = [
      (map (variants.findStableAbi (withTorch { stable-abi.cuda = "2.11"; })) [ "cpu" "cuda" ])
      [ null "2.11" ]
    ];
  };
  # Apple's clang has no -fopenmp.
  makeVariant.flagsThatACompilerLacks = [
    (let
      withFlags = section: section // { flags = section.flags // { cxx-flags = [ "-O2" "-fopenmp" ]; }; };
      config = relu // { sections = map withFlags relu.sections; };
    in
    map
      (
        system:
        map (warning: "${warning.at}: ${warning.found}")
          (variants.makeVariant config (builtins.head (row "2.13.0" "cpu" null [ system ]))).warnings
      )
      [ "x86_64-linux" "aarch64-darwin" ])
    [
      [ ]
      [
        "torch.cxx-flags: \"-fopenmp\", left out: the compiler for aarch64-darwin does not have it"
        "kernel.relu_cpu.cxx-flags: \"-fopenmp\", left out: the compiler for aarch64-darwin does not have it"
      ]
    ]
  ];
  listVariantTargets.eachOnce = [
    (variants.listVariantTargets { targets = { a = [ "9.0" "8.0" ]; b = [ "9.0" ]; }; })
    [ "9.0" "8.0" ]
  ];
  nameVariants.eachOnce = [
    (variants.nameVariants [ { name = "torch-cuda"; } { name = "torch-cuda"; } { name = "torch-rocm"; } ])
    [ "torch-cuda" "torch-rocm" ]
  ];
  nameRowVariant.byCode = [
    (map (config: variants.nameRowVariant config (builtins.head (row "2.13.0" "cuda" "13.0" linux))) [
      relu
      (relu // { sections = [ ]; })
      (withTorch { stable-abi.cuda = "2.11"; })
    ])
    [ "torch213-cxx11-cu130-x86_64-linux" "torch-cuda" "torch-stable-abi211-cu130-x86_64-linux" ]
  ];
}
