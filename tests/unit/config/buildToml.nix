{ config, ... }@library:
let
  inherit (config) buildToml;
  relu = ../kernels/relu;
  inspect =
    text:
    let
      result = buildToml.inspectConfig { root = relu; inherit text; };
    in
    map (problem: problem.at) result.problems;
  plan = buildToml.planUpdate;
  ats = map (problem: problem.at);
  none = { python-depends = [ ]; kernel-depends = [ ]; };
in
{
  readConfig = {
    theFrameworkThatIsThere = [
      (map (root: (buildToml.readConfig { inherit root; }).framework.name) [ relu ../kernels/flash-norm ])
      [ "torch" "torch-noarch" ]
    ];
    relu = [
      (builtins.removeAttrs (buildToml.readConfig { root = relu; }) [ "framework" ])
      {
        general = {
          name = "relu"; python-name = "relu"; version = 1; edition = 5; license = null; upstream = null;
          source = null; backends = [ "cpu" "cuda" ]; python-depends = [ ]; kernel-depends = [ ];
          hub = { repo-id = null; branch = null; };
          cuda = none // { minver = null; maxver = null; };
          cpu = none; metal = none; cann = none; neuron = none; tpu = none; rocm = none; xpu = none;
        };
        torch = { minver = null; maxver = null; stable-abi = null; headers = null; };
        torch-noarch = null;
        tvm-ffi = null;
        pyext = [ "py" "pyi" ];
        pythonFolder = "torch-ext/relu";
        sections =
          let
            section = builtins.removeAttrs (import ../kernels/section.nix library {
              backend = null;
              depends = [ "torch" ];
              include = [ ];
            }) [ "backends" "entries" ];
            component = name: more: section // { inherit name; at = "kernel.${name}"; } // more;
          in
          [
            (section // {
              name = "torch";
              at = "torch";
              src = [ "torch-ext/torch_binding.cpp" "torch-ext/torch_binding.h" ];
            })
            (component "relu_cpu" {
              backend = "cpu";
              src = [ "relu_cpu/relu.cpp" "relu_cpu/relu.h" ];
              include = [ "include" ];
            })
            (component "relu_cuda" { backend = "cuda"; src = [ "relu_cuda/relu.cu" ]; })
          ];
        warnings = [ ];
      }
    ];
    noarch = [
      ((buildToml.readConfig { root = ../kernels/flash-norm; }).torch-noarch)
      { cuda-capabilities = null; rocm-archs = null; }
    ];
    pythonName = [ ((buildToml.readConfig { root = ../kernels/flash-norm; }).general.python-name) "flash_norm" ];
  };
  inspectConfig = {
    oldEditionsWarn = [
      (map (warning: warning.at) (buildToml.inspectConfig {
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
      }).config.warnings)
      [ "general.backends" ]
    ];
    # A mistake in one half must not hide or break the other half.
    anything = [
      (builtins.length (inspect ''
        general = 1
        torch = "x"
        kernel = ["y"]
      '') > 2)
      true
    ];
  };
  planUpdate = {
    newest = [
      (plan ''
        [general]
        name = "relu"
        edition = 5
        backends = ["cpu"]
        [torch]
        src = ["a.cpp"]
      '')
      {
        toml = { general = { name = "relu"; edition = 5; backends = [ "cpu" ]; }; torch.src = [ "a.cpp" ]; };
        edits = [ ];
        notes = [ ];
        problems = [ ];
      }
    ];
    notes = [
      (ats (plan ''
        [general]
        name = "relu"
        universal = true
      '').notes)
      [ "general.universal" ]
    ];
  };
}
