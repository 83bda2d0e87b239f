# A kernel for CPU and CUDA, a matrix of six rows, and the variants of both.
{ config, matrix, ... }:
let
  inherit (builtins) attrValues elemAt head mapAttrs;
  inherit (config) buildToml;
  inherit (matrix) decisions;
  relu = buildToml.readConfig { root = ./relu; };
  # A row for each system, as `readRow` returns it.
  row =
    torch: backend: toolkit: systems:
    matrix.row.readRow {
      torchVersion = torch;
      ${if toolkit == null then backend else "${backend}Version"} = if toolkit == null then true else toolkit;
      inherit systems;
      bundleBuild = true;
    };
  linux = [ "x86_64-linux" ];
  small = builtins.concatLists [
    (row "2.11.0" "cpu" null [ "x86_64-linux" "aarch64-linux" ])
    (row "2.11.0" "cuda" "12.6" linux)
    (row "2.12.1" "cpu" null linux)
    (row "2.12.1" "cuda" "12.6" linux)
    (row "2.12.1" "cuda" "13.0" linux)
    (row "2.12.1" "rocm" "7.2" linux)
  ];
  of =
    changed:
    listVariants { config = changed; matrix = small; };
  listVariants = arguments: (decisions.decideRows arguments).variants;
  namesOf = changed: map (variant: variant.name) (of changed);
  withTorch = more: relu // { torch = relu.torch // more; };
  withGeneral = more: relu // { general = relu.general // more; };
  withBackends = backends: relu // { general = relu.general // { inherit backends; }; };
  cuda = elemAt relu.sections 2;
  # The section for all backends, and sections that are as relu_cuda but for these fields.
  withSections =
    config: changes:
    config
    // {
      sections = [ (head config.sections) ]
      ++ attrValues (mapAttrs (name: more: cuda // { inherit name; at = "kernel.${name}"; } // more) changes);
    };
  withCuda = more: withSections (withBackends [ "cuda" ]) { relu_cuda = more; };
in
{
  inherit linux listVariants namesOf of relu row small withBackends withCuda withGeneral withSections withTorch;
}
