# A kernel for CPU and CUDA, a matrix of six rows, and the variants of both.
{ config, matrix, ... }:
let
  inherit (config) buildToml;
  inherit (matrix) variants;
  relu = buildToml.readConfig { root = ./relu; };
  row = torch: backend: toolkit: systems: {
    inherit
      torch
      backend
      toolkit
      systems
      ;
    bundle = true;
  };
  linux = [ "x86_64-linux" ];
  small = [
    (row "2.11.0" "cpu" null [
      "x86_64-linux"
      "aarch64-linux"
    ])
    (row "2.11.0" "cuda" "12.6" linux)
    (row "2.12.1" "cpu" null linux)
    (row "2.12.1" "cuda" "12.6" linux)
    (row "2.12.1" "cuda" "13.0" linux)
    (row "2.12.1" "rocm" "7.2" linux)
  ];
  of =
    changed:
    variants.listVariants {
      config = changed;
      matrix = small;
    };
  namesOf = changed: map (variant: variant.name) (of changed);
  withTorch = more: relu // { torch = relu.torch // more; };
  withGeneral = more: relu // { general = relu.general // more; };
  withCuda =
    more:
    relu
    // {
      general = relu.general // {
        backends = [ "cuda" ];
      };
      components.relu_cuda = relu.components.relu_cuda // more;
    };
in
{
  inherit
    linux
    namesOf
    of
    relu
    row
    small
    withCuda
    withGeneral
    withTorch
    ;
}
