{ config, frameworks, ... }:
let
  relu = ../kernels/relu;
  inspect =
    text:
    let
      result = config.inspectConfig {
        root = relu;
        inherit text;
      };
    in
    map (problem: problem.at) result.problems;
in
{
  dependencies = {
    depends = {
      expr = builtins.filter (name: !config.dependencies.depends ? ${name}) [
        "torch"
        "cutlass_2_10"
        "cutlass_3_5"
        "cutlass_3_6"
        "cutlass_3_8"
        "cutlass_3_9"
        "cutlass_4_0"
        "cutlass_4_2"
        "cutlass_4_4"
        "cutlass_4_5"
        "sycl_tla"
        "metal-cpp"
      ];
      expected = [ ];
    };
    python = {
      expr = builtins.filter (name: !config.dependencies.python-depends ? ${name}) [
        "einops"
        "nvidia-cutlass-dsl"
      ];
      expected = [ ];
    };
  };
  dependsOf.allAndThisOne = {
    expr = config.dependsOf {
      general = {
        python-depends = [ "einops" ];
        kernel-depends = [ ];
        cuda = {
          python-depends = [ "nvidia-cutlass-dsl" ];
          kernel-depends = [ ];
        };
      };
    } "cuda";
    expected = {
      python-depends = [
        "einops"
        "nvidia-cutlass-dsl"
      ];
      kernel-depends = [ ];
    };
  };
  projectsOf = {
    statedAndOfTheFramework = {
      expr = config.projectsOf (config.readConfig { root = ../../../examples/axpy; }) "cpu";
      expected = [ "apache-tvm-ffi" ];
    };
    ofTheBackend = {
      expr = config.projectsOf {
        framework = frameworks.torch;
        general = {
          python-depends = [ "tvm-ffi" ];
          kernel-depends = [ ];
          cuda = {
            python-depends = [ "nvidia-cutlass-dsl" ];
            kernel-depends = [ ];
          };
        };
      } "cuda";
      expected = [
        "apache-tvm-ffi"
        "nvidia-cutlass-dsl"
      ];
    };
  };
  dependenciesWith = {
    brought = {
      expr = (config.dependenciesWith [ "eigen" ]).depends.eigen.backends;
      expected = null;
    };
    theTableWins = {
      expr = config.dependenciesWith [ "torch" ];
      expected = config.dependencies;
    };
  };
  readConfig = {
    theFrameworkThatIsThere = {
      expr =
        let
          compiled = config.readConfig { root = relu; };
          noarch = config.readConfig { root = ../kernels/flash-norm; };
        in
        [
          (compiled.section == compiled.torch)
          (noarch.section == noarch.torch-noarch)
          compiled.framework.name
          noarch.framework.name
        ];
      expected = [
        true
        true
        "torch"
        "torch-noarch"
      ];
    };
    relu = {
      expr = builtins.removeAttrs (config.readConfig { root = relu; }) [
        "framework"
        "section"
      ];
      expected = {
        general = {
          name = "relu";
          python-name = "relu";
          version = 1;
          edition = 5;
          license = null;
          upstream = null;
          source = null;
          backends = [
            "cpu"
            "cuda"
          ];
          python-depends = [ ];
          kernel-depends = [ ];
          hub = {
            repo-id = null;
            branch = null;
          };
          cpu = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          cuda = {
            python-depends = [ ];
            kernel-depends = [ ];
            minver = null;
            maxver = null;
          };
          metal = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          cann = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          neuron = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          tpu = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          rocm = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
          xpu = {
            python-depends = [ ];
            kernel-depends = [ ];
          };
        };
        torch = {
          src = [
            "torch-ext/torch_binding.cpp"
            "torch-ext/torch_binding.h"
          ];
          include = [ ];
          pyext = [
            "py"
            "pyi"
          ];
          minver = null;
          maxver = null;
          stable-abi = null;
          cxx-flags = [ ];
          headers = null;
        };
        torch-noarch = null;
        tvm-ffi = null;
        components = {
          relu_cpu = {
            backend = "cpu";
            depends = [ "torch" ];
            include = [ "include" ];
            src = [
              "relu_cpu/relu.cpp"
              "relu_cpu/relu.h"
            ];
            cxx-flags = [ ];
          };
          relu_cuda = {
            backend = "cuda";
            depends = [ "torch" ];
            include = [ ];
            src = [ "relu_cuda/relu.cu" ];
            cxx-flags = [ ];
            cuda-flags = [ ];
            cuda-capabilities = null;
            cuda-minver = null;
          };
        };
        warnings = [ ];
      };
    };
    noarch = {
      expr = (config.readConfig { root = ../kernels/flash-norm; }).torch-noarch;
      expected = {
        pyext = [
          "py"
          "pyi"
        ];
        cuda-capabilities = null;
        rocm-archs = null;
      };
    };
    pythonName = {
      expr = (config.readConfig { root = ../kernels/flash-norm; }).general.python-name;
      expected = "flash_norm";
    };
  };
  inspectConfig = {
    headline = {
      expr = (config.inspectConfig { root = relu; }).headline;
      expected = "relu/build.toml cannot be built";
    };
    allProblemsAtOnce = {
      expr = inspect ''
        [general]
        name = "relu"
        bakends = ["cpu"]
        backends = ["cpu"]
        [torch]
        src = ["torch-ext/torch_binding.cpp"]
        minver = 2.10
        [kernel.a]
        backend = "cuda"
        depends = ["cutlas_3_5"]
        src = ["relu_cuda/relu.cuh"]
      '';
      expected = [
        "general.bakends"
        "torch.minver"
        "kernel.a.backend"
        "kernel.a.depends[0]"
        "kernel.a.src[0]"
      ];
    };
    oldEditionsWarn = {
      expr = map (warning: warning.at) (config.inspectConfig {
        root = relu;
        text = ''
          [general]
          name = "relu"
          [torch]
          src = ["torch-ext/torch_binding.cpp"]
          [kernel.a]
          backend = "cpu"
          depends = ["torch"]
          src = ["relu_cpu/relu.cpp"]
        '';
      }).config.warnings;
      expected = [ "general.backends" ];
    };
    # A mistake in one half must not hide or break the other half.
    anything = {
      expr = builtins.length (inspect ''
        general = 1
        torch = "x"
        kernel = ["y"]
      '') > 2;
      expected = true;
    };
    noPackageWithoutName = {
      expr = inspect ''
        [general]
        name = "Relu"
        backends = ["cpu"]
        [torch-noarch]
      '';
      expected = [ "general.name" ];
    };
  };
}
