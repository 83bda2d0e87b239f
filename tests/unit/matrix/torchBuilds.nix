{ backends, matrix, ... }:
let
  inherit (builtins)
    concatMap
    elem
    filter
    ;
  inherit (matrix) names torchBuilds;
  namesOf =
    rows:
    concatMap (
      row:
      map (
        system:
        names.nameVariant {
          inherit system;
          inherit (row) torch backend toolkit;
        }
      ) row.systems
    ) rows;
  cpu = {
    torch = "2.13.0";
    backend = "cpu";
    systems = [ "x86_64-linux" ];
  };
in
{
  default = {
    isValid = {
      expr = torchBuilds.checkRows torchBuilds.default;
      expected = [ ];
    };
    # The variants in the documents of the `kernels` project.
    documented = {
      expr = filter (name: !elem name (namesOf torchBuilds.default)) [
        "torch29-cxx11-cu129-x86_64-linux"
        "torch210-cxx11-cu126-x86_64-linux"
        "torch210-cxx11-cu128-x86_64-linux"
        "torch210-cxx11-cu130-x86_64-linux"
        "torch210-cxx11-rocm70-x86_64-linux"
        "torch210-cxx11-rocm71-x86_64-linux"
        "torch210-cxx11-cpu-x86_64-linux"
        "torch210-cxx11-xpu20253-x86_64-linux"
        "torch211-cxx11-cpu-x86_64-linux"
        "torch211-cxx11-cu126-x86_64-linux"
        "torch211-cxx11-cu128-x86_64-linux"
        "torch211-cxx11-cu130-x86_64-linux"
        "torch211-cxx11-rocm71-x86_64-linux"
        "torch211-cxx11-rocm72-x86_64-linux"
        "torch211-cxx11-xpu20253-x86_64-linux"
        "torch211-metal-aarch64-darwin"
      ];
      expected = [ ];
    };
    # Torch 2.15 has no build for the CPU on Linux whose hash is known.
    everyTorch = {
      expr = filter (name: !elem name (namesOf torchBuilds.default)) (
        map (torch: "torch${toString torch}-cxx11-cpu-x86_64-linux") [ 29 210 211 212 213 214 ]
        ++ [ "torch215-cxx11-cu132-x86_64-linux" ]
      );
      expected = [ ];
    };
    # The whole version counts: another patch release is another wheel.
    torchVersions = {
      expr = builtins.attrNames (
        builtins.listToAttrs (
          map (row: {
            name = row.torch;
            value = null;
          }) torchBuilds.default
        )
      );
      expected = [
        "2.10.0"
        "2.11.0"
        "2.12.0"
        "2.13.0"
        "2.14.0"
        "2.15.0"
        "2.9.0"
      ];
    };
    documentedAreInTheBundle = {
      expr = elem "torch29-cxx11-cu129-x86_64-linux" (namesOf (filter (row: row.bundle) torchBuilds.default));
      expected = true;
    };
  };
  fromRegistries.exactly = {
    # The other backends compile nothing.
    expr = namesOf (filter (row: backends.all.${row.backend}.languages != { }) torchBuilds.fromRegistries);
    expected = [
      "torch29-cxx11-cpu-aarch64-linux"
      "torch210-cxx11-cpu-aarch64-linux"
      "torch211-cxx11-cu130-x86_64-linux"
      "torch211-cxx11-cu130-aarch64-linux"
      "torch212-cxx11-cu130-x86_64-linux"
      "torch212-cxx11-cu130-aarch64-linux"
      "torch213-cxx11-cpu-x86_64-linux"
      "torch213-cxx11-cu130-x86_64-linux"
      "torch213-cxx11-cu130-aarch64-linux"
      "torch214-cxx11-cu130-x86_64-linux"
      "torch214-cxx11-cu130-aarch64-linux"
      "torch215-cxx11-cu132-x86_64-linux"
      "torch215-cxx11-cu132-aarch64-linux"
    ];
  };
  checkRows = {
    repeat = {
      expr = map (problem: problem.found) (
        torchBuilds.checkRows [
          cpu
          (cpu // { torch = "2.13.1"; })
        ]
      );
      expected = [ "\"torch213-cxx11-cpu-x86_64-linux\", which torchVersions[0] has already" ];
    };
    # "13" is 13.0.
    repeatInAnotherSpelling = {
      expr = map (problem: problem.at) (
        torchBuilds.checkRows (
          map (toolkit: cpu // { backend = "cuda"; inherit toolkit; }) [
            "13"
            "13.0"
          ]
        )
      );
      expected = [ "torchVersions[1]" ];
    };
    empty = {
      expr = map (problem: problem.found) (torchBuilds.checkRows [ ]);
      expected = [ "an empty list" ];
    };
    noList = {
      expr = map (problem: problem.found) (torchBuilds.checkRows { });
      expected = [ "a set" ];
    };
    function = {
      expr = map (problem: problem.at) (torchBuilds.checkRows (a: a));
      expected = [ "torchVersions" ];
    };
  };
  readRows = {
    identity = {
      expr = torchBuilds.readRows { torchVersions = defaults: defaults; };
      expected = torchBuilds.default;
    };
    filtered = {
      expr = builtins.length (
        torchBuilds.readRows {
          torchVersions = filter (row: row.backend == "xpu" && row.torch == "2.11.0");
        }
      );
      expected = 1;
    };
    added = {
      expr = (builtins.elemAt (torchBuilds.readRows { torchVersions = defaults: [ cpu ]; }) 0).bundle;
      expected = true;
    };
    list = {
      expr = namesOf (torchBuilds.readRows { torchVersions = [ cpu ]; });
      expected = [ "torch213-cxx11-cpu-x86_64-linux" ];
    };
  };
}
