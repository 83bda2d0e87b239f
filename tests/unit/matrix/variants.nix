# Many lines because a module's suite is one file, and every filter has its cases.
{
  config,
  matrix,
  variants,
  ...
}:
let
  inherit (builtins)
    filter
    head
    length
    ;
  relu = config.readConfig { root = ../kernels/relu; };
  row = torch: backend: toolkit: systems: {
    inherit
      torch
      backend
      toolkit
      systems
      ;
    bundle = true;
    hosts = {
      torch = "download.pytorch.org";
      toolkit = "registry";
    };
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
    variants.variantsOf {
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
  variantsOf = {
    namesInOrder = {
      expr = namesOf relu;
      expected = [
        "torch211-cxx11-cpu-x86_64-linux"
        "torch211-cxx11-cpu-aarch64-linux"
        "torch212-cxx11-cpu-x86_64-linux"
        "torch211-cxx11-cu126-x86_64-linux"
        "torch212-cxx11-cu126-x86_64-linux"
        "torch212-cxx11-cu130-x86_64-linux"
      ];
    };
    wholeRecord = {
      expr = head (of relu);
      expected = {
        name = "torch211-cxx11-cpu-x86_64-linux";
        system = "x86_64-linux";
        backend = "cpu";
        torch = "2.11.0";
        toolkit = null;
        compute = "cpu";
        stableAbi = null;
        noarch = false;
        bundle = true;
        hosts = [
          "download.pytorch.org"
          "registry"
        ];
        components = [ "relu_cpu" ];
        targets = { };
        warnings = [ ];
        problems = [ ];
      };
    };
    everythingOfTheDefault = {
      expr =
        length (
          variants.variantsOf {
            config = relu;
            matrix = matrix.default;
          }
        ) > 40;
      expected = true;
    };
    maxverAdmitsPatches = {
      expr = namesOf (withTorch {
        minver = "2.12";
        maxver = "2.12";
      });
      expected = [
        "torch212-cxx11-cpu-x86_64-linux"
        "torch212-cxx11-cu126-x86_64-linux"
        "torch212-cxx11-cu130-x86_64-linux"
      ];
    };
    cudaBounds = {
      expr = filter (name: builtins.match ".*-cu.*" name != null) (
        namesOf (withGeneral {
          cuda = relu.general.cuda // {
            minver = "12.8";
          };
        })
      );
      expected = [ "torch212-cxx11-cu130-x86_64-linux" ];
    };
    cudaBoundsLeaveOthersAlone = {
      expr = length (
        namesOf (withGeneral {
          cuda = relu.general.cuda // {
            maxver = "12.0";
          };
        })
      );
      expected = 3;
    };
    componentWithMinver = {
      expr =
        let
          changed = withCuda { } // {
            components = {
              inherit (relu.components) relu_cuda;
              newer = relu.components.relu_cuda // {
                cuda-minver = "13.0";
              };
            };
          };
        in
        map (variant: variant.components) (of changed);
      expected = [
        [ "relu_cuda" ]
        [ "relu_cuda" ]
        [
          "newer"
          "relu_cuda"
        ]
      ];
    };
    noComponentIsNoVariant = {
      expr = namesOf (withCuda { cuda-minver = "13.0"; });
      expected = [ "torch212-cxx11-cu130-x86_64-linux" ];
    };
    stableAbi = {
      expr = map (variant: [
        variant.name
        variant.torch
      ]) (of (withTorch { stable-abi = "2.11"; }));
      expected = [
        [
          "torch-stable-abi211-cpu-x86_64-linux"
          "2.12.1"
        ]
        [
          "torch-stable-abi211-cpu-aarch64-linux"
          "2.11.0"
        ]
        [
          "torch-stable-abi211-cu126-x86_64-linux"
          "2.12.1"
        ]
        [
          "torch-stable-abi211-cu130-x86_64-linux"
          "2.12.1"
        ]
      ];
    };
    stableAbiNeedsItsTorch = {
      expr = namesOf (withTorch { stable-abi = "2.12"; });
      expected = [
        "torch-stable-abi212-cpu-x86_64-linux"
        "torch-stable-abi212-cu126-x86_64-linux"
        "torch-stable-abi212-cu130-x86_64-linux"
      ];
    };
    stableAbiOfOneBackend = {
      expr = namesOf (withTorch { stable-abi.cuda = "2.11"; });
      expected = [
        "torch211-cxx11-cpu-x86_64-linux"
        "torch211-cxx11-cpu-aarch64-linux"
        "torch212-cxx11-cpu-x86_64-linux"
        "torch-stable-abi211-cu126-x86_64-linux"
        "torch-stable-abi211-cu130-x86_64-linux"
      ];
    };
    noarch = {
      expr = map (variant: [
        variant.name
        variant.system
        variant.torch
      ]) (filter (variant: variant.bundle) (
        variants.variantsOf {
          config = config.readConfig { root = ../kernels/flash-norm; };
          matrix = map (row: row // { bundle = false; }) small;
        }
      ));
      expected = [
        [
          "torch-cuda"
          "x86_64-linux"
          "2.12.1"
        ]
        [
          "torch-rocm"
          "x86_64-linux"
          "2.12.1"
        ]
      ];
    };
    statedTargetsOfNoarch = {
      expr =
        let
          flash = config.readConfig { root = ../kernels/flash-norm; };
        in
        map (variant: variant.targets) (
          variants.variantsOf {
            config = flash // {
              torch-noarch = flash.torch-noarch // {
                cuda-capabilities = [
                  "9.0"
                  "8.0"
                ];
              };
            };
            matrix = small;
          }
        );
      expected = [
        {
          torch-noarch = [
            "8.0"
            "9.0"
          ];
        }
        { }
      ];
    };
    backendWithoutComponent = {
      expr = namesOf (withGeneral { backends = [ "rocm" ]; });
      expected = [ "torch-rocm" ];
    };
    capabilities = {
      expr =
        map (variant: variant.targets) (
          of (withCuda {
            cuda-capabilities = [
              "9.0a"
              "10.3a"
            ];
          })
        );
      expected = [
        { relu_cuda = [ "9.0a" ]; }
        { relu_cuda = [ "9.0a" ]; }
        {
          relu_cuda = [
            "9.0a"
            "10.3a"
          ];
        }
      ];
    };
    leftOutIsSaid = {
      expr =
        let
          list = of (withCuda {
            cuda-capabilities = [
              "9.0a"
              "10.3a"
            ];
          });
        in
        map (variant: map (warning: warning.at) variant.warnings) list;
      expected = [
        [ "kernel.relu_cuda.cuda-capabilities" ]
        [ "kernel.relu_cuda.cuda-capabilities" ]
        [ ]
      ];
    };
    nothingLeftIsAProblem = {
      expr = map (variant: length variant.problems) (
        of (withCuda { cuda-capabilities = [ "10.3a" ]; })
      );
      expected = [
        1
        1
        0
      ];
    };
    architectures = {
      expr =
        let
          changed = relu // {
            general = relu.general // {
              backends = [ "rocm" ];
            };
            components.hip = {
              backend = "rocm";
              rocm-archs = [ "gfx942" ];
            };
          };
        in
        map (variant: variant.targets) (of changed);
      expected = [ { hip = [ "gfx942" ]; } ];
    };
  };
  problems = {
    some = {
      expr = variants.problems {
        config = relu;
        variants = of relu;
      };
      expected = [ ];
    };
    none = {
      expr = map (problem: problem.at) (
        variants.problems {
          config = withTorch { minver = "3.0"; };
          variants = of (withTorch { minver = "3.0"; });
        }
      );
      expected = [ "torch.minver" ];
    };
    everyBound = {
      expr = map (problem: problem.found) (
        variants.problems {
          config = (withCuda { cuda-minver = "13.0"; }) // {
            torch = relu.torch // {
              maxver = "2.11";
            };
          };
          variants = [ ];
        }
      );
      expected = [
        "no build of Torch for cuda with torch.maxver = \"2.11\" and with kernel.relu_cuda.cuda-minver = \"13.0\""
      ];
    };
    backendThatNoBuildIsFor = {
      expr = map (problem: problem.at) (
        variants.problems {
          config = withGeneral { backends = [ "xpu" ]; };
          variants = [ ];
        }
      );
      expected = [ "general.backends" ];
    };
  };
  inOrder = {
    registriesThenNewest = {
      expr =
        let
          fromRegistry = row: row // { hosts = row.hosts // { torch = "registry"; }; };
          list = variants.variantsOf {
            config = relu;
            matrix = filter (row: row.systems == linux) small ++ [
              (fromRegistry (row "2.10.0" "cpu" null linux))
            ];
          };
        in
        map (variant: variant.name) (variants.inOrder list);
      expected = [
        "torch212-cxx11-cu130-x86_64-linux"
        "torch212-cxx11-cu126-x86_64-linux"
        "torch211-cxx11-cu126-x86_64-linux"
        "torch210-cxx11-cpu-x86_64-linux"
        "torch212-cxx11-cpu-x86_64-linux"
      ];
    };
  };
  best = {
    onePerBackend = {
      expr = map (variant: variant.name) (
        variants.best {
          variants = of relu;
          system = "x86_64-linux";
        }
      );
      expected = [
        "torch212-cxx11-cu130-x86_64-linux"
        "torch212-cxx11-cpu-x86_64-linux"
      ];
    };
    otherSystem = {
      expr = map (variant: variant.name) (
        variants.best {
          variants = of relu;
          system = "aarch64-linux";
        }
      );
      expected = [ "torch211-cxx11-cpu-aarch64-linux" ];
    };
    canBeBuilt = {
      expr = map (variant: variant.name) (
        variants.best {
          variants = filter (variant: variant.toolkit != "13.0") (
            of (withCuda { cuda-capabilities = [ "10.3a" ]; })
          );
          system = "x86_64-linux";
        }
      );
      expected = [ ];
    };
  };
}
