{ backends, matrix, ... }@library:
let
  inherit (builtins) elem filter;
  inherit (matrix) names torchBuilds;
  inherit (import ../kernels/small-matrix.nix library) linux row;
  namesOf = map (row: names.nameVariant { inherit (row) torch compute system; });
  namesOfEntries = entries: namesOf (builtins.concatMap matrix.row.readRow entries);
  cpu = { torchVersion = "2.13"; cpu = true; systems = [ "x86_64-linux" ]; };
  both = row "2.11.0" "cuda" "12.6" linux ++ row "2.11.0" "rocm" "7.1" linux ++ row "2.12.0" "cuda" "13.0" linux;
  torches = rows: map (row: row.torch) (torchBuilds.selectCommonRows rows rows);
  problemsOf = rows: (torchBuilds.inspectRows rows).problems;
in
{
  default = {
    isValid = [ (problemsOf torchBuilds.default) [ ] ];
    # The variants in the documents of the `kernels` project.
    documented = [
      (filter (name: !elem name (namesOf torchBuilds.knownRows)) (
        [ "torch29-cxx11-cu129-x86_64-linux" "torch211-metal-aarch64-darwin" ]
        ++ map (compute: "torch210-cxx11-${compute}-x86_64-linux")
          [ "cpu" "cu126" "cu128" "cu130" "rocm70" "rocm71" "xpu20253" ]
        ++ map (compute: "torch211-cxx11-${compute}-x86_64-linux")
          [ "cpu" "cu126" "cu128" "cu130" "rocm71" "rocm72" "xpu20253" ]
      ))
      [ ]
    ];
    # Torch 2.15 has no build for the CPU on Linux whose hash is known.
    everyTorch = [
      (filter (name: !elem name (namesOf torchBuilds.knownRows)) (
        map (torch: "torch${toString torch}-cxx11-cpu-x86_64-linux") [ 29 210 211 212 213 214 ]
        ++ [ "torch215-cxx11-cu132-x86_64-linux" ]
      ))
      [ ]
    ];
    # The whole version counts: another patch release is another wheel.
    torchVersions = [
      (builtins.attrNames (builtins.listToAttrs (map (row: { name = row.torch; value = null; }) torchBuilds.knownRows)))
      [ "2.10.0" "2.11.0" "2.12.0" "2.13.0" "2.14.1" "2.15.0" "2.9.0" ]
    ];
    documentedAreInTheBundle = [
      (elem "torch29-cxx11-cu129-x86_64-linux" (namesOf (filter (row: row.bundle) torchBuilds.knownRows)))
      true
    ];
  };
  fromRegistries.exactly = {
    # The other backends compile nothing.
    expr = namesOf (
      filter (row: backends.all.${row.backend}.languages != { }) (
        builtins.concatMap matrix.row.readRow torchBuilds.fromRegistries
      )
    );
    expected = [
      "torch29-cxx11-cpu-aarch64-linux" "torch29-cpu-aarch64-darwin" "torch210-cxx11-cpu-aarch64-linux"
      "torch210-cpu-aarch64-darwin" "torch211-cpu-aarch64-darwin" "torch211-cxx11-cu130-x86_64-linux"
      "torch211-cxx11-cu130-aarch64-linux" "torch212-cpu-aarch64-darwin" "torch212-cxx11-cu130-x86_64-linux"
      "torch212-cxx11-cu130-aarch64-linux" "torch213-cxx11-cpu-x86_64-linux" "torch213-cpu-aarch64-darwin"
      "torch213-cxx11-cu130-x86_64-linux" "torch213-cxx11-cu130-aarch64-linux" "torch214-cpu-aarch64-darwin"
      "torch214-cxx11-cu130-x86_64-linux" "torch214-cxx11-cu130-aarch64-linux" "torch215-cpu-aarch64-darwin"
      "torch215-cxx11-cu132-x86_64-linux" "torch215-cxx11-cu132-aarch64-linux"
    ];
  };
  inspectRows = {
    # "13" is 13.0.
    repeatInAnotherSpelling = [
      (map (problem: problem.at) (
        problemsOf (map (cudaVersion: removeAttrs cpu [ "cpu" ] // { inherit cudaVersion; }) [ "13" "13.0" ])
      ))
      [ "torchVersions[1]" ]
    ];
    # The pins of one would replace those of the other.
    repeatOfAWheel = [
      (let
        wheel = {
          build = "2.16.0+acme";
          file = "torch-2.16.0-cp311-cp311-linux_x86_64.whl";
          url = "https://wheels.example/torch.whl";
          hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        };
      in
      map (problem: problem.found) (
        problemsOf [ (cpu // { inherit wheel; }) (cpu // { torchVersion = "2.16"; inherit wheel; }) ]
      ))
      [ "\"the wheel for 2.16.0+acme on x86_64-linux\", which torchVersions[0] has already" ]
    ];
  };
  readRows = {
    identity = [ (torchBuilds.readRows { torchVersions = defaults: defaults; }) torchBuilds.knownRows ];
    filtered = [
      (builtins.length (
        torchBuilds.readRows { torchVersions = filter (row: row ? xpuVersion && row.torchVersion == "2.11"); }
      ))
      1
    ];
    # As in published flakes, bundles have a new row only if it says so.
    added = [
      (map (more: (builtins.head (torchBuilds.readRows { torchVersions = _: [ (cpu // more) ]; })).bundle) [
        { }
        { bundleBuild = true; }
      ])
      [ false true ]
    ];
    list = [ (namesOf (torchBuilds.readRows { torchVersions = [ cpu ]; })) [ "torch213-cxx11-cpu-x86_64-linux" ] ];
  };
  knownRows.areThoseOfTheList = [ (namesOf torchBuilds.knownRows == namesOfEntries torchBuilds.default) true ];
  selectCommonRows = {
    ofAllBackends = [ (torches both) [ "2.11.0" "2.11.0" ] ];
    allWhereNoneIsCommon = [
      (torches (row "2.11.0" "rocm" "7.1" linux ++ row "2.12.0" "cuda" "13.0" linux))
      [ "2.11.0" "2.12.0" ]
    ];
  };
}
