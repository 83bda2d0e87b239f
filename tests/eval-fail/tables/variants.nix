# Kernels whose build.toml is correct, and of whose variants some cannot be built.
let
  library = import ../../../lib;
  matrix = builtins.filter (row: row.system != "aarch64-linux") library.matrix.torchBuilds.knownRows;
  check =
    _:
    { bounds ? "", capabilities ? "", torch ? "", }:
    let
      config = library.config.buildToml.readConfig {
        root = ../../unit/kernels/relu;
        text = ''
          [general]
          name = "relu"
          backends = ["cuda"]
          [general.cuda]
          ${bounds}
          [torch]
          src = ["torch-ext/torch_binding.cpp"]
          ${torch}
          [kernel.a]
          backend = "cuda"
          depends = ["torch"]
          src = ["relu_cuda/relu.cu"]
          ${capabilities}
        '';
      };
      inherit (library.matrix.decisions.decideRows { inherit config matrix; }) variants;
    in
    library.matrix.bounds.checkBounds { inherit config variants; }
    ++ builtins.concatMap (variant: variant.problems) variants;
in
builtins.mapAttrs check {
  none-for-cuda.bounds = ''minver = "14.0"'';
  capabilities-too-new = {
    bounds = ''maxver = "12.6"'';
    torch = ''
      minver = "2.13"
      maxver = "2.13"'';
    capabilities = ''cuda-capabilities = ["10.3a"]'';
  };
}
