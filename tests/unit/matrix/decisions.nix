{ backends, config, decisions, matrix, torchBuilds, ... }@library:
let
  inherit (config) buildToml;
  inherit (import ../kernels/small-matrix.nix library)
    linux listVariants namesOf of relu row small withBackends withCuda withGeneral withSections withTorch;
  inherit (builtins) filter head length tail;
  axpy = buildToml.readConfig { root = ../../../examples/axpy; };
  norm = buildToml.readConfig { root = ../kernels/flash-norm; };
  torchesOf = config: matrix: map (variant: variant.torch) (listVariants { inherit config matrix; });

  # The rows that a decision says nothing about, or more than one thing.
  listUndecided =
    config: own:
    let
      decided = (decisions.decideRows { inherit config; matrix = own; }).rows;
      sameBuild =
        row: other:
        row.system == other.system && row.compute == other.compute && row.torch == other.torch;
      isDecided =
        row:
        let
          found = filter (sameBuild row) decided;
          decision = head found;
        in
        length found == 1
        && (decision ? variant) != (decision ? excluded)
        && (
          if decision ? variant then
            decision.variant.name == decision.name && decision.variant.system == row.system
          else
            decision.excluded.at != "" && decision.excluded.because != [ ] && decision.excluded.fix != ""
        );
    in
    map (row: "${row.torchBuild} ${row.system}") (filter (row: !isDecided row) torchBuilds.knownRows);
in
{
  decideRows = {
    # No row is left out without a reason, whatever build.toml and torchVersions say.
    everyRowHasAVariantOrAReason = [
      (builtins.concatMap (config: builtins.concatMap (listUndecided config) [
        torchBuilds.knownRows
        (torchBuilds.readRows { torchVersions = _: torchBuilds.fromRegistries; })
        (filter (row: row.torch != "2.13.0") torchBuilds.knownRows)
      ]) [
        relu
        norm
        axpy
        (withTorch { minver = "2.12"; })
        (withTorch { maxver = "2.9"; })
        (withTorch { stable-abi = "2.11"; })
        (withTorch { stable-abi.cuda = "2.20"; })
        (withGeneral { backends = [ "rocm" "xpu" ]; rocm = relu.general.cuda; xpu = { }; })
        (withGeneral { cuda = relu.general.cuda // { maxver = "12.0"; }; })
        (withCuda { minver = "14"; })
      ])
      [ ]
    ];
    namesInOrder = [
      (namesOf relu)
      [
        "torch211-cxx11-cpu-x86_64-linux" "torch211-cxx11-cpu-aarch64-linux" "torch212-cxx11-cpu-x86_64-linux"
        "torch211-cxx11-cu126-x86_64-linux" "torch212-cxx11-cu126-x86_64-linux"
        "torch212-cxx11-cu130-x86_64-linux"
      ]
    ];
    cudaBoundsLeaveOthersAlone = [
      (length (namesOf (withGeneral { cuda = relu.general.cuda // { maxver = "12.0"; }; })))
      3
    ];
    componentWithMinver = [
      (let
        changed = withSections (withBackends [ "cuda" ]) { relu_cuda = { }; newer.minver = "13.0"; };
      in
      map (variant: map (section: section.name) variant.sections) (of changed))
      [ [ "torch" "relu_cuda" ] [ "torch" "relu_cuda" ] [ "torch" "newer" "relu_cuda" ] ]
    ];
    # With the existing tool, these sources see all headers.
    sourcesForAllBackendsSeeAllDepends = [
      (let
        changed = withSections (withBackends [ "cuda" ]) {
          a.depends = [ "cutlass_4_0" ];
          b = { depends = [ "cutlass_3_6" ]; minver = "13.0"; };
        };
      in
      map (variant: map (section: section.depends) variant.sections) (tail (of changed)))
      [
        [ [ "torch" "cutlass_4_0" ] [ "cutlass_4_0" ] ]
        [ [ "torch" "cutlass_4_0" "cutlass_3_6" ] [ "cutlass_4_0" ] [ "cutlass_3_6" ] ]
      ]
    ];
    noComponentIsNoVariant = [ (namesOf (withCuda { minver = "13.0"; })) [ "torch212-cxx11-cu130-x86_64-linux" ] ];
    stableAbi = [
      (map (variant: [ variant.name variant.torch ]) (of (withTorch { stable-abi = "2.11"; })))
      [
        [ "torch-stable-abi211-cpu-x86_64-linux" "2.12.1" ]
        [ "torch-stable-abi211-cpu-aarch64-linux" "2.11.0" ]
        [ "torch-stable-abi211-cu126-x86_64-linux" "2.12.1" ]
        [ "torch-stable-abi211-cu130-x86_64-linux" "2.12.1" ]
      ]
    ];
    # A build that bundles lack, such as a nightly, does not take the place of one that they have.
    # A Torch that every machine can get comes before a newer one.
    stableAbiOfRegistries = [
      (let
        hosts = { "2.9.0" = "registry"; "2.11.0" = "registry"; "2.12.0" = "registry"; "2.14.0" = "download.pytorch.org"; };
        rows = builtins.concatMap (
          torch: map (row: row // { hosts = [ hosts.${torch} ]; }) (row torch "cpu" null linux)
        ) (builtins.attrNames hosts);
      in
      torchesOf (withTorch { stable-abi = "2.10"; }) rows ++ torchesOf (withTorch { stable-abi = "2.13"; }) rows)
      [ "2.12.0" "2.14.0" ]
    ];
    # Whoever lacks a wheel of PyTorch's server has no use for another one from there.
    choicesAreOfRegistries = [
      (let
        choicesOf = config: map (variant: map (choice: "${choice.name} ${choice.torch}") variant.choices or [ ]) (
          listVariants { inherit config; matrix = filter (row: builtins.elem row.system linux && builtins.elem row.compute [ "cu126" "cu130" ]) torchBuilds.knownRows; }
        );
      in
      builtins.concatLists (choicesOf (withTorch { stable-abi = "2.12"; }) ++ choicesOf relu))
      (map (torch: "torch-stable-abi212-cu130-x86_64-linux ${torch}") [ "2.14.1" "2.13.0" "2.12.0" ])
    ];
    stableAbiKeepsItsPlaceInBundles =
      let
        listOf =
          bundled:
          map (variant: [ variant.torch variant.bundle ]) (listVariants {
            config = withTorch { stable-abi = "2.11"; } // { general = relu.general // { backends = [ "cpu" ]; }; };
            matrix =
              map (row: row // { bundle = bundled; }) (row "2.12.1" "cpu" null linux)
              ++ map (row: row // { bundle = false; }) (row "2.16.0" "cpu" null linux);
          });
      in
      [ (map listOf [ true false ]) [ [ [ "2.12.1" true ] ] [ [ "2.16.0" false ] ] ] ];
    stableAbiNeedsItsTorch = [
      (namesOf (withTorch { stable-abi = "2.12"; }))
      [
        "torch-stable-abi212-cpu-x86_64-linux"
        "torch-stable-abi212-cu126-x86_64-linux"
        "torch-stable-abi212-cu130-x86_64-linux"
      ]
    ];
    noarch = [
      (map (variant: [ variant.name variant.system variant.torch ]) (filter (variant: variant.bundle) (
        listVariants { config = norm; matrix = map (row: row // { bundle = false; }) small; }
      )))
      [ [ "torch-cuda" "x86_64-linux" "2.12.1" ] [ "torch-rocm" "x86_64-linux" "2.12.1" ] ]
    ];
    noarchIsImportedWithATorchThatAllHave = [
      (map (config: torchesOf config (small ++ row "2.13.0" "cuda" "13.0" linux)) [
        norm
        # Also if the kernel has only one of these backends.
        (norm // { general = norm.general // { backends = [ "cuda" ]; }; })
      ])
      [ [ "2.12.1" "2.12.1" ] [ "2.12.1" ] ]
    ];
    noarchIsImportedWithAReleasedTorch =
      let
        pre = builtins.concatMap (
          backend: map (row: row // { pre = "2.16.0rc1"; }) (row "2.16.0" backend (if backend == "cuda" then "13.0" else "7.2") linux)
        ) [ "cuda" "rocm" ];
      in
      [ (map (torchesOf norm) [ (pre ++ row "2.13.0" "cuda" "13.0" linux ++ row "2.12.0" "rocm" "7.2" linux) pre ])
        [ [ "2.13.0" "2.12.0" ] [ "2.16.0" "2.16.0" ] ] ];
    noarchWithNoTorchThatAllHave = [
      (torchesOf norm (row "2.13.0" "cuda" "13.0" linux ++ row "2.12.0" "rocm" "7.2" linux))
      [ "2.13.0" "2.12.0" ]
    ];
    tvmFfiOneForAllTorch = [
      (map (variant: [ variant.name variant.torch variant.bundle ]) (
        listVariants {
          config = axpy;
          # Bundles have only the older builds.
          matrix = map (row: row // { bundle = row.torch == "2.11.0"; }) small;
        }
      ))
      [
        [ "tvm-ffi01-cpu-x86_64-linux" "2.11.0" true ]
        [ "tvm-ffi01-cpu-aarch64-linux" "2.11.0" true ]
        [ "tvm-ffi01-cu126-x86_64-linux" "2.11.0" true ]
        [ "tvm-ffi01-cu130-x86_64-linux" "2.12.1" false ]
      ]
    ];
    # Every backend compiles the binding, so no variant is Python code only.
    tvmFfiBackendWithoutComponent = [
      (namesOf (
        axpy
        // {
          sections = filter (section: section.name != "axpy_cpu") axpy.sections;
          general = axpy.general // { backends = [ "cpu" ]; };
        }
      ))
      [ "tvm-ffi01-cpu-x86_64-linux" "tvm-ffi01-cpu-aarch64-linux" ]
    ];
    ptxasOfAnotherToolkit = [
      (map (variant: [ variant.ptxas variant.warnings variant.hosts ]) (
        listVariants {
          config = relu;
          matrix = matrix.row.readRow {
            torchVersion = "2.11"; cudaVersion = "12.6"; ptxasVersion = "12.8"; systems = linux;
          };
        }
      ))
      [ [ "12.8" [ ] [ "download.pytorch.org" "developer.download.nvidia.com" ] ] ]
    ];
    statedTargetsOfNoarch = [
      (map (variant: variant.targets) (
        of (norm // { torch-noarch = norm.torch-noarch // { cuda-capabilities = [ "9.0" "8.0" ]; }; })
      ))
      [ { torch-noarch = [ "8.0" "9.0" ]; } { } ]
    ];
    # The name shows whether there is compiled code; checks of built variants read it.
    namesAgreeWithCompiled = [
      (filter (variant: variant.compiled == (builtins.match "torch-[a-z]+" variant.name != null)) (
        of relu
        ++ of (withTorch { stable-abi = "2.11"; })
        ++ of (withSections relu { })
        ++ of norm
        ++ of axpy
      ))
      [ ]
    ];
    # Without components a CUDA unit is compiled for the toolkit's default list.
    tvmFfiDeviceCodeWithoutComponent =
      let
        targetsOf =
          src:
          map (variant: variant.targets.tvm-ffi or null) (
            of (axpy // {
              sections = [ (head axpy.sections // { inherit src; }) ];
              general = axpy.general // { backends = [ "cuda" "rocm" ]; };
            })
          );
        listOf = backend: toolkit: backends.all.${backend}.toolkit.releases.${toolkit}.default;
      in
      [
        (map targetsOf [ [ "a.cpp" ] [ "a.cpp" "b.cu" ] ])
        [ [ null null null ] [ (listOf "cuda" "12.6") (listOf "cuda" "13.0") (listOf "rocm" "7.2") ] ]
      ];
  };
}
