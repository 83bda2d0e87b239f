# NVIDIA GPUs. A `.cu` file is compiled once for the host and once for each target. The flags of its language go to each
# of these passes; passes.nix adds the target.
{ values, compilers, releases, ... }:
let
  inherit (builtins) elem head mapAttrs;
  inherit (values.lists) optionals;
  inherit (values.versions) atLeast;
  inherit (compilers.language) addFlags makeFlags makeLanguage;

  bound = meaning: {
    type = "version";
    since = 2;
    inherit meaning;
  };
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
  systems = [ "aarch64-linux" "x86_64-linux" ];
  host = "developer.download.nvidia.com";
  preference = 1;
  aliases = [ "nvidia" ];
  # The driver's device file, its library in WSL, and a file of Jetson boards.
  isPresent = "[ -e /dev/nvidiactl ] || [ -e /usr/lib/wsl/lib/libcuda.so.1 ] || [ -e /etc/nv_tegra_release ]";
  toolkit = {
    name = "CUDA";
    minverKey = "cuda-minver";
    # NVIDIA's "minor version compatibility": programs of all releases of a major version share libraries and a driver.
    warningsOf = import ./warnings.nix values releases;
  };
  targets = {
    key = "cuda-capabilities";
    noun = "capability";
    meaning = "CUDA capabilities to compile for; when absent, the default list of the toolkit.";
    noarchMeaning = "CUDA capabilities that the kernel runs on; they go into its metadata.";
    cardName = "capabilities";
  }
  // import ./targets.nix values;
  componentKeys = {
    cuda-flags = {
      type = "flags";
      default = [ ];
      since = 2;
      meaning = "Additional flags of nvcc.";
    };
    cuda-minver = bound "Oldest CUDA toolkit that builds this component; variants with an older one leave it out.";
  };
  generalKeys = {
    minver = bound "Oldest CUDA toolkit to build for, itself included.";
    maxver = bound "Newest CUDA toolkit to build for, itself included; \"13\" admits all releases of 13.";
  };
  flags = [ (makeFlags [ "compile" ] [ "-DCUDA_KERNEL" "-DUSE_CUDA=1" ]) ];
  packages = builtins.fromJSON (builtins.readFile ./packages.json);
  # An import needs only this one of NVIDIA's libraries. The others take 2 GB and do nothing without a GPU.
  runtime = { projects = [ "nvidia-cuda-runtime" "nvidia-cuda-runtime-cu12" ]; package = "cuda"; };
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
        words = [
          "] __device__"
          "]__device__"
          "] __host__"
          "]__host__"
          "EXTENDED_LAMBDA"
          "GPU_LAMBDA"
          "_GLIBCXX_"
          "__cpp_lib_"
          "__nv_hdl_"
          "__nv_is_extended_"
          "nvstd::"
        ];
      };
      flagsKeys = [ "cuda-flags" ];
      packages = [ "cuda" ];
      tools = [ "cuda" ];
      takeApart = import ./passes.nix values releases;
    };
  };
  # Signs of code that can see the unit's list of targets: such code names the macro, or uses CCCL, which chooses code
  # by the list and puts the list into the names of symbols. Some headers of Torch use CCCL.
  targetUse = {
    words = [ "__CUDA_ARCH_LIST__" "cub::" "cuda::experimental::" "cuda::std::" "thrust::" ];
    headers = [
      "ATen/cuda/cub"
      "ATen/cuda/jiterator"
      "ATen/native/"
      "c10/cuda/CUDAAlgorithm"
      "cub/"
      "cuda/"
      "thrust/"
    ];
  };
  # Signs of code that can see the target of its pass. The passes of such a unit may have different kernels.
  passUse = [ "__CUDA_ARCH_" "CUTE_ARCH_" "CUTLASS_ARCH_" ];
  libraries = [ "c10_cuda" "torch_cuda" "torch_cpu" "torch" "c10" ];
  inherit (compilers.gcc) linker;
  # The functions with which host code prepares and launches kernels. The list lacks functions that only query code,
  # such as cudaFuncGetAttributes, because their callers check the returned error.
  launches = {
    package = "cuda";
    source = ./launch-errors.cpp;
    functions = [
      "__cudaGetKernel"
      "__cudaLaunchKernel"
      "__cudaLaunchKernel_ptsz"
      "cudaLaunchKernel"
      "cudaLaunchKernel_ptsz"
      "cudaLaunchCooperativeKernel"
      "cudaLaunchCooperativeKernel_ptsz"
      "cudaLaunchKernelExC"
      "cudaLaunchKernelExC_ptsz"
      "cudaFuncSetAttribute"
    ];
  };
}
