{ config, ... }:
let
  inherit (config) buildToml;
  relu = ../kernels/relu;
  inspect =
    text:
    let
      result = buildToml.inspectConfig {
        root = relu;
        inherit text;
      };
    in
    map (problem: problem.at) result.problems;
in
{
  readConfig = {
    theFrameworkThatIsThere = {
      expr =
        let
          compiled = buildToml.readConfig { root = relu; };
          noarch = buildToml.readConfig { root = ../kernels/flash-norm; };
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
      expr = builtins.removeAttrs (buildToml.readConfig { root = relu; }) [
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
      expr = (buildToml.readConfig { root = ../kernels/flash-norm; }).torch-noarch;
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
      expr = (buildToml.readConfig { root = ../kernels/flash-norm; }).general.python-name;
      expected = "flash_norm";
    };
  };
  inspectConfig = {
    headline = {
      expr = (buildToml.inspectConfig { root = relu; }).headline;
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
      expr = map (warning: warning.at) (buildToml.inspectConfig {
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
