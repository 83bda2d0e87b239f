{ config, decisions, exclusions, matrix, torchBuilds, ... }@library:
let
  inherit (builtins) elem filter head;
  inherit (import ../kernels/small-matrix.nix library) relu small withGeneral withSections withTorch;
  norm = config.buildToml.readConfig { root = ../kernels/flash-norm; };
  axpy = config.buildToml.readConfig { root = ../../../examples/axpy; };

  decide = config: matrix: { inherit config; inherit (decisions.decideRows { inherit config matrix; }) rows; };
  explain = config: matrix: exclusions.listReasons (decide config matrix);
  ofBackend = backend: filter (reason: reason.backend == backend);
  warningsOf =
    config: matrix:
    map (problem: "${problem.at}: ${problem.found}") (exclusions.listMissingBackends (decide config matrix));
  withCudaBounds = bounds: withGeneral { cuda = relu.general.cuda // bounds; };

in
{
  excludeByBounds.kind = [ (exclusions.excludeByBounds (head small) [ ]).kind "bounds" ];
  excludeUnselectedRow.hosts = [
    (map (isListOfRegistries: (head (exclusions.excludeUnselectedRow isListOfRegistries (head small)).because).text) [
      false
      true
    ])
    [
      "torchVersions in flake.nix does not select {releases} for cpu on x86_64-linux"
      "torchVersions in flake.nix does not select {releases} for cpu on x86_64-linux; fromRegistries leaves out builds with files from download.pytorch.org"
    ]
  ];
  excludeBackend.kind = [ (exclusions.excludeBackend relu "xpu").kind "backends" ];
  listReasons = {
    nothing = [ (ofBackend "cpu" (explain relu torchBuilds.knownRows "x86_64-linux")) [ ] ];
    bound = {
      # The small matrix lacks many builds.
      expr = filter (reason: reason.kind != "list") (
        ofBackend "cuda" (explain (withCudaBounds { minver = "13"; }) small "x86_64-linux")
      );
      expected = [
        {
          backend = "cuda";
          names = [ "torch211-cxx11-cu126-x86_64-linux" "torch212-cxx11-cu126-x86_64-linux" ];
          kind = "bounds";
          at = "general.cuda.minver";
          found = "general.cuda.minver = \"13\" leaves out CUDA 12.6";
          want = "a build of Torch within the bounds";
          fix = "widen the bound";
        }
      ];
    };
    severalBounds = [
      (map (reason: reason.found) (
        filter (reason: reason.kind != "list") (
          ofBackend "cuda" (
            explain (withCudaBounds { minver = "13"; } // { torch = relu.torch // { minver = "2.12"; }; }) small
              "x86_64-linux"
          )
        )
      ))
      [
        "general.cuda.minver = \"13\" leaves out CUDA 12.6"
        "torch.minver = \"2.12\" leaves out Torch 2.11 and general.cuda.minver = \"13\" leaves out CUDA 12.6"
      ]
    ];
    ownList = [
      (map (reason: reason.found) (
        ofBackend "cpu" (explain relu (filter (row: row.torch != "2.9.0") torchBuilds.knownRows) "aarch64-linux")
      ))
      [ "torchVersions in flake.nix does not select Torch 2.9 for cpu on aarch64-linux" ]
    ];
    notListed = [
      (map (reason: reason.kind) (ofBackend "xpu" (explain relu small "x86_64-linux")))
      [ "backends" ]
    ];
    # One variant serves all builds of Torch.
    oneForAll = [
      (map (config: ofBackend "cuda" (explain config torchBuilds.knownRows "x86_64-linux")) [
        norm
        axpy
        (withTorch { stable-abi = "2.9"; })
      ])
      [ [ ] [ ] [ ] ]
    ];
  };
  listMissingBackends = {
    none = [ (warningsOf relu torchBuilds.knownRows) [ ] ];
    # A backend that a part of build.toml or of torchVersions leaves without variants, beside one that has some.
    byEveryPart = [
      (map
        (config: warningsOf config (filter (row: elem row.torch [ "2.13.0" ] && row.toolkit != "13.0") torchBuilds.knownRows))
        [
          (withCudaBounds { minver = "14"; })
          (withCudaBounds { maxver = "11.8"; })
          (withTorch { stable-abi.cuda = "2.20"; })
          (withSections relu { relu_cpu.backend = "cpu"; relu_cuda.minver = "14.0"; })
        ])
      [
        [ "general.cuda.minver: no variant for \"cuda\": general.cuda.minver = \"14\" leaves out CUDA 12.6, 13.2" ]
        [ "general.cuda.maxver: no variant for \"cuda\": general.cuda.maxver = \"11.8\" leaves out CUDA 12.6, 13.2" ]
        [ "torch.stable-abi.cuda: no variant for \"cuda\": torch.stable-abi.cuda = \"2.20\" leaves out Torch 2.13" ]
        [
          "kernel.relu_cuda.cuda-minver: no variant for \"cuda\": kernel.relu_cuda.cuda-minver = \"14.0\" leaves out CUDA 12.6, 13.2"
        ]
      ]
    ];
    # The flake selects them on purpose.
    list = [ (warningsOf relu (filter (row: row.backend == "cpu") torchBuilds.knownRows)) [ ] ];
  };
}
