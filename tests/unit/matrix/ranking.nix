{ matrix, ... }@library:
let
  inherit (matrix) ranking;
  inherit (import ../kernels/small-matrix.nix library) linux listVariants of relu row small;
  inherit (builtins) filter;
in
{
  sortVariants = {
    registriesThenNewest = [
      (let
        list = listVariants {
          config = relu;
          # Package registries have Torch 2.13 for the CPU.
          matrix =
            filter (row: row.backend != "cpu" || row.torch != "2.11.0") small
            ++ row "2.14.0" "cpu" null linux
            ++ row "2.13.0" "cpu" null linux;
        };
      in
      map (variant: variant.name) (ranking.sortVariants list))
      [
        "torch212-cxx11-cu130-x86_64-linux" "torch212-cxx11-cu126-x86_64-linux"
        "torch211-cxx11-cu126-x86_64-linux" "torch213-cxx11-cpu-x86_64-linux"
        "torch214-cxx11-cpu-x86_64-linux" "torch212-cxx11-cpu-x86_64-linux"
      ]
    ];
  };
  selectBestVariants = {
    onePerBackend = [
      (map (variant: variant.name) (ranking.selectBestVariants { variants = of relu; system = "x86_64-linux"; }))
      [ "torch212-cxx11-cu130-x86_64-linux" "torch212-cxx11-cpu-x86_64-linux" ]
    ];
    otherSystem = [
      (map (variant: variant.name) (ranking.selectBestVariants { variants = of relu; system = "aarch64-linux"; }))
      [ "torch211-cxx11-cpu-aarch64-linux" ]
    ];
  };
  selectWantedRow.registryBeforeNewer = [
    (ranking.selectWantedRow (
      map (row: row // { hosts = [ "download.pytorch.org" ]; }) (row "2.12.0" "cpu" null linux)
      ++ map (row: row // { hosts = [ "registry" ]; }) (row "2.11.0" "cpu" null linux)
    )).torch
    "2.11.0"
  ];
}
