{ matrix, ... }@library:
let
  inherit (matrix) bounds;
  inherit (import ../kernels/small-matrix.nix library)
    linux
    of
    relu
    row
    withCuda
    withGeneral
    withTorch
    ;
  build = backend: row "2.11.0" backend (if backend == "cuda" then "12.6" else null) linux;
  withMaxver =
    maxver:
    withGeneral {
      cuda = relu.general.cuda // {
        inherit maxver;
      };
    };
in
{
  listBounds.places = {
    expr = map (bound: bound.at) (
      bounds.listBounds (
        withCuda { cuda-minver = "13"; }
        // {
          torch = relu.torch // {
            minver = "2.9";
            stable-abi.cuda = "2.10";
          };
        }
      ) "cuda"
    );
    expected = [
      "torch.minver"
      "torch.stable-abi.cuda"
      "kernel.relu_cuda.cuda-minver"
    ];
  };
  showBound.values = {
    expr = map bounds.showBound [
      {
        at = "torch.minver";
        value = "2.9";
      }
      {
        at = "kernel.a.cuda-minver, kernel.b.cuda-minver";
        value = [
          "12.8"
          "13"
        ];
      }
    ];
    expected = [
      "torch.minver = \"2.9\""
      "kernel.a.cuda-minver, kernel.b.cuda-minver = \"12.8\", \"13\""
    ];
  };
  isWithinBounds = {
    itsBackends = {
      expr = map (backend: bounds.isWithinBounds (withGeneral { backends = [ "cpu" ]; }) (build backend)) [
        "cpu"
        "cuda"
      ];
      expected = [
        true
        false
      ];
    };
    itsToolkits = {
      expr = map (version: bounds.isWithinBounds (withMaxver version) (build "cuda")) [
        "12.5"
        "12.6"
      ];
      expected = [
        false
        true
      ];
    };
    itsTorch = {
      expr = map (version: bounds.isWithinBounds (withTorch { minver = version; }) (build "cpu")) [
        "2.11"
        "2.12"
      ];
      expected = [
        true
        false
      ];
    };
  };
  checkBounds = {
    some = {
      expr = bounds.checkBounds {
        config = relu;
        variants = of relu;
      };
      expected = [ ];
    };
    none = {
      expr = map (problem: problem.at) (
        bounds.checkBounds {
          config = withTorch { minver = "3.0"; };
          variants = of (withTorch { minver = "3.0"; });
        }
      );
      expected = [ "torch.minver" ];
    };
    everyBound = {
      expr = map (problem: problem.found) (
        bounds.checkBounds {
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
        bounds.checkBounds {
          config = withGeneral { backends = [ "xpu" ]; };
          variants = [ ];
        }
      );
      expected = [ "general.backends" ];
    };
  };
}
