{ matrix, ... }@library:
let
  inherit (matrix) systemRows;
  inherit (import ../kernels/small-matrix.nix library) linux row;
  rows = systemRows.listSystemRows;
  both = [
    (row "2.11.0" "cuda" "12.6" linux)
    (row "2.11.0" "rocm" "7.1" linux)
    (row "2.12.0" "cuda" "13.0" linux)
  ];
  torches = matrix: map (row: row.torch) (systemRows.selectCommonRows { inherit matrix; } (rows matrix));
in
{
  listSystemRows = {
    oneForEachSystem = {
      expr = map (row: row.system) (
        rows [
          (row "2.12.0" "cpu" null [
            "aarch64-linux"
            "x86_64-linux"
          ])
        ]
      );
      expected = [
        "aarch64-linux"
        "x86_64-linux"
      ];
    };
    ownWheel = {
      expr = map (row: row.wheel.build or null) (
        rows [
          (row "2.12.0" "cpu" null linux)
          (
            row "2.16.0" "cpu" null linux
            // {
              wheel.file = ../kernels/wheels/torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl;
            }
          )
        ]
      );
      expected = [
        null
        "2.16.0.dev20261101+cpu"
      ];
    };
    compute = {
      expr = map (row: row.compute) (rows both);
      expected = [
        "cu126"
        "rocm71"
        "cu130"
      ];
    };
    torchBuild = {
      expr = map (row: row.torchBuild) (rows [
        (row "2.15.0" "cuda" "13.5" linux)
        (row "2.13.0" "cpu" null linux)
      ]);
      expected = [
        "2.15.0+cu135"
        "2.13.0+cpu"
      ];
    };
  };
  selectCommonRows = {
    ofAllBackends = {
      expr = torches both;
      expected = [
        "2.11.0"
        "2.11.0"
      ];
    };
    allWhereNoneIsCommon = {
      expr = torches [
        (row "2.11.0" "rocm" "7.1" linux)
        (row "2.12.0" "cuda" "13.0" linux)
      ];
      expected = [
        "2.11.0"
        "2.12.0"
      ];
    };
  };
}
