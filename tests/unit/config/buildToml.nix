{ buildToml, ... }:
let
  relu = ../kernels/relu;
  inspect =
    text:
    let
      result = buildToml.inspectConfig { root = relu; inherit text; };
    in
    map (problem: problem.at) result.problems;
  plan = buildToml.planUpdate;
  ats = map (problem: problem.at);
in
{
  readConfig = {
    theFrameworkThatIsThere = [
      (map (root: (buildToml.readConfig { inherit root; }).framework.name) [ relu ../kernels/flash-norm ])
      [ "torch" "torch-noarch" ]
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
