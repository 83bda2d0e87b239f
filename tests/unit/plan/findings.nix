# The kernel `ported` has each mistake of a kernel that another build system compiled, and comments, strings and
# conditions that look like one.
{ config, plan, ... }:
let
  inherit (config.buildToml) inspectConfig;
  problemsOf =
    change: root:
    let
      config = change (inspectConfig { inherit root; }).config;
      graph = plan.includeGraph.makeKernelGraph { inherit root config; };
    in
    plan.findings.listFindings { inherit root config graph; };
  problemsIn = problemsOf (config: config);
  root = ../ported;
  stable = problemsOf (config: config // { torch = config.torch // { stable-abi = "2.10"; }; sections = map (each: each // { flags.a = [ "-fopenmp" ]; }) config.sections; }) root;
  ported = problemsIn root;
  fixOf = place: (builtins.head (builtins.filter (problem: problem.at == place) ported)).fix;
  init = "torch-ext/ported/__init__.py";
  layers = "torch-ext/ported/layers";
in
{
  listFindings = {
    ofAPort = [
      (map (problem: [ problem.at problem.found ]) ported)
      [
        [ "csrc/ext.cpp:4" "#include <torch/extension.h>" ]
        [ "csrc/ext.cpp:8" "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)" ]
        [ "csrc/names.cpp:1" "torch::RegisterOperators" ]
        [ "csrc/names.cpp:2" "TORCH_LIBRARY(ported, m)" ]
        [ "csrc/names.cpp:3" "TORCH_LIBRARY_IMPL(ported, CPU, m)" ]
        [ "csrc/names.cpp:4" "STABLE_TORCH_LIBRARY_FRAGMENT(ported, m)" ]
        [ "csrc/names.cpp:8" "TORCH_LIBRARY_IMPL(aten, CPU, m)" ]
        [ "csrc/names.cpp:9" "#pragma omp parallel for" ]
        [ "csrc/ops.cpp:3" "#include <pybind11/numpy.h>, behind a condition" ]
        [ "./root.cpp:1" "#include <torch/csrc/utils/pybind.h>" ]
        [ "csrc/ported.h:3" "#include \"torch/python.h\"" ]
        [ "${init}:25" "torch.ops.load_library(" ]
        [ "${init}:27" "CDLL(os.path.join(os.path.dirname(__file__" ]
        [ "${init}:34" "torch.ops.ported." ]
        [ "${init}:26" "torch.library.Library(\"…\"" ]
        [ "${init}:37" "custom_op(\"…\"" ]
        [ "${init}:28" "compiled = torch.utils.cpp_extension.load(" ]
        [ "${init}:13" "from ported.layers import norm" ]
        [ "${init}:11" "import scipy.cluster" ]
        [ "${init}:15" "from . import _C, layers" ]
        [ "${init}:16" "from .missing import nothing" ]
        [ "${init}:19" "from ported_cuda import forward" ]
        [ "${layers}/__init__.py:7" "torch.ops.ported." ]
        [ "${layers}/__init__.py:1" "from .. import helper" ]
        [ "${layers}/__init__.py:2" "from ....outside import nothing" ]
        [ "${layers}/norm.py:1" "import tensorflow" ]
        [ "${init}:1" "no Python file that imports `_ops`" ]
      ]
    ];
    ofAStableKernel = [
      (map (problem: builtins.match ".*(all[.]h|[ \n]TORCH_LIBRARY_EXPAND).*" problem.fix) (
        builtins.filter (problem: builtins.elem problem.at [ "csrc/ext.cpp:4" "csrc/ext.cpp:8" "csrc/names.cpp:1" "csrc/names.cpp:9" "csrc/ops.cpp:3" "./root.cpp:1" ]) stable
      ))
      [ null null null null null ]
    ];
    blockInPlaceOfPybind11 = [
      (builtins.match ".*write\n(TORCH_LIBRARY_EXPAND.*TORCH_EXTENSION_NAME[)])\nTorch infers.*" (
        fixOf "csrc/ext.cpp:8"
      ))
      [
        ''
          TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) {
            m.def("forward", &forward);
            m.def("backward", &ported::backward);
          }
          REGISTER_EXTENSION(TORCH_EXTENSION_NAME)''
      ]
    ];
    notExpandForTorch = [
      (builtins.match ".*_EXPAND[(]TORCH_EXTENSION_NAME, ops[)], and call.*" (fixOf "csrc/names.cpp:8") != null)
      true
    ];
    dotsOfAFolder = [ (fixOf "${layers}/__init__.py:7") "write ops.NAME with `from .._ops import ops`" ];
    ofARightKernel = [ (problemsIn ../../../examples/relu) [ ] ];
    # The build makes the module itself.
    withoutAModule = [
      (plan.findings.listFindings {
        root = ../../../examples/relu;
        inherit (inspectConfig { root = ../../../examples/relu; }) config;
        graph = { };
      })
      [ ]
    ];
  };
}
