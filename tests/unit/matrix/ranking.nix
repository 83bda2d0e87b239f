{ ranking, ... }@library:
let
  inherit (import ../kernels/small-matrix.nix library) linux listVariants of relu row small;
  inherit (builtins) filter;
  best = system: ranking.selectBestVariants (filter (variant: variant.system == system) (of relu));
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
      (map (variant: variant.name) (best "x86_64-linux"))
      [ "torch212-cxx11-cu130-x86_64-linux" "torch212-cxx11-cpu-x86_64-linux" ]
    ];
    otherSystem = [
      (map (variant: variant.name) (best "aarch64-linux"))
      [ "torch211-cxx11-cpu-aarch64-linux" ]
    ];
  };
  sortWantedRows = {
    preReleaseLast = [
      (map (row: row.torch) (
        ranking.sortWantedRows (
          map (row: row // { hosts = [ "registry" ]; pre = "2.16.0rc1"; }) (row "2.16.0" "cpu" null linux)
          ++ map (row: row // { hosts = [ "download.pytorch.org" ]; }) (row "2.12.0" "cpu" null linux)
        )
      ))
      [ "2.12.0" "2.16.0" ]
    ];
    registryBeforeNewer = [
      (map (row: row.torch) (
        ranking.sortWantedRows (
          map (row: row // { hosts = [ "download.pytorch.org" ]; }) (row "2.12.0" "cpu" null linux)
          ++ map (row: row // { hosts = [ "registry" ]; }) (row "2.11.0" "cpu" null linux)
        )
      ))
      [ "2.11.0" "2.12.0" ]
    ];
  };
  selectOutermostRows = {
    none = [ (ranking.selectOutermostRows [ ]) [ ] ];
    alone = [ (ranking.selectOutermostRows [ { torch = "2.9.0"; hosts = [ "a" ]; } ]) [ { torch = "2.9.0"; hosts = [ "a" ]; } ] ];
    byRelease = [
      (map (row: "${row.torch} ${row.toolkit}") (
        ranking.selectOutermostRows (
          map
            (row: row // { hosts = if row.toolkit == "12.6" then [ "registry" ] else [ "developer.download.nvidia.com" ]; })
            (
              row "2.12.0" "cuda" "13.0" linux
              ++ row "2.9.0" "cuda" "13.0" linux
              ++ row "2.9.0" "cuda" "12.6" linux
              ++ row "2.10.0" "cuda" "12.6" linux
              ++ row "2.11.0" "cuda" "12.6" linux
            )
        )
      ))
      [ "2.9.0 12.6" "2.12.0 13.0" ]
    ];
  };
}
