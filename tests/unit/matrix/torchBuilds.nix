{ names, torchBuilds, ... }@library:
let
  inherit (builtins) elem filter;
  inherit (import ../kernels/small-matrix.nix library) linux row;
  namesOf = map (row: names.nameVariant { inherit (row) torch compute system; });
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
  };
  # `readRows` takes them for that list without reading it.
  registryRows.areThoseOfTheList = [
    (torchBuilds.inspectRows torchBuilds.fromRegistries)
    { problems = [ ]; rows = torchBuilds.registryRows; }
  ];
  # docs/reference/variants.md lists them.
  fromRegistries.isRead = [
    (torchBuilds.readRows { torchVersions = _: torchBuilds.fromRegistries; })
    torchBuilds.registryRows
  ];
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
  knownRows.areThoseOfTheList = [ (torchBuilds.inspectRows torchBuilds.default).rows torchBuilds.knownRows ];
  selectCommonRows = {
    ofAllBackends = [ (torches both) [ "2.11.0" "2.11.0" ] ];
    allWhereNoneIsCommon = [
      (torches (row "2.11.0" "rocm" "7.1" linux ++ row "2.12.0" "cuda" "13.0" linux))
      [ "2.11.0" "2.12.0" ]
    ];
  };
}
