# NVIDIA GPUs. A `.cu` file is compiled once for the host and once for each target. The flags of its language go to each
# of these passes; passes.nix adds the target.
{ values, compilers, releases, ... }@library:
let
  inherit (builtins) elem head mapAttrs;
  inherit (values.lists) optionals;
  inherit (values.versions) atLeast;
  inherit (compilers.language) addFlags makeFlags makeLanguage;

  extendedLambda = "--expt-extended-lambda";
  # From CUDA 13 on, CCCL has a folder of its own, which nvcc searches by itself and a host compiler does not.
  hostCccl = makeFlags [ "compile" ] (
    { packages, toolkit, ... }:
    optionals (elem "cuda" packages && atLeast "13" toolkit) [
      "-isystem"
      "@cuda@/include/cccl"
    ]
  );
  makeTargetFlags = name: code: [
    "-gencode"
    "arch=compute_${name},code=${code}"
  ];
in
{
  toolkit.warningsOf = import ./warnings.nix library;
  targets = import ./targets.nix values;
  languages = {
    inherit (compilers.gcc.languages) c;
  }
  // mapAttrs (_: language: addFlags language [ hostCccl ]) (removeAttrs compilers.gcc.languages [ "c" ])
  // {
    cu = makeLanguage {
      compiler = "nvcc";
      standard = year: "c++${year}";
      flags = compilers.gcc.optimised ++ [
        (makeFlags [ "compile" ] [
          "--expt-relaxed-constexpr"
          extendedLambda
          "-forward-unknown-to-host-compiler"
          "-DENABLE_FP8"
          "-DONNX_NAMESPACE=onnx_c2"
        ])
        # nvcc uses both spellings for the folder of its own headers.
        (makeFlags [ "build" ] [
          "-ffile-prefix-map=@tools/cuda@/bin/..=cuda"
          "-ffile-prefix-map=@tools/cuda@/bin/..//=cuda/"
        ])
        (makeFlags [ "device" "whole" ] (
          { passes, ... }:
          builtins.concatMap (
            { name, ptx, ... }: makeTargetFlags name (if ptx then "[sm_${name},compute_${name}]" else "sm_${name}")
          ) passes
        ))
        # The host pass is the same for every target, but nvcc requires a target.
        (makeFlags [ "host" ] (
          { passes, ... }: makeTargetFlags (head passes).name "sm_${(head passes).name}"
        ))
        # gcc collects garbage whenever its heap has grown by 30 per cent, instead of when it has doubled. The object
        # stays the same, and gcc needs a seventh less memory and a tenth more time.
        (makeFlags [ "host-compiler" ] [ "--param=ggc-min-expand=30" ])
        (makeFlags [ "whole" ] ({ packing, ... }: map (option: "-Xfatbin=${option}") packing))
        # The link of relocatable device code, for a unit that is compiled whole. It gets the flags of `whole`, too.
        (makeFlags [ "device-link" ] [ "-dlink" "-Xcompiler=-fPIC" ])
      ];
      # With this flag, nvcc reads <functional> three or more times, which adds half as much again to the text of a unit
      # without Torch. The first four words are of lambdas that need the flag. The flag changes what the others mean.
      optionalFlags = {
        flags = [ extendedLambda ];
        words = builtins.fromJSON (builtins.readFile ./extended-lambda.json);
      };
      flagsKeys = [ "cuda-flags" ];
      packages = [ "cuda" ];
      tools = [ "cuda" ];
      takeApart = import ./passes.nix values releases;
    };
  };
  inherit (compilers.gcc) linker;
  launches.source = values.paths.alone ./launch-errors.cpp;
}
