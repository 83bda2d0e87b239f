{ bounds, ... }@library:
let
  inherit (import ../kernels/small-matrix.nix library) of relu withCuda withGeneral;
in
{
  listBounds.places = [
    (map (bound: bound.at) (
      bounds.listBounds (
        withCuda { minver = "13"; }
        // { torch = relu.torch // { minver = "2.9"; stable-abi.cuda = "2.10"; }; }
      ) "cuda"
    ))
    [ "torch.minver" "torch.stable-abi.cuda" "kernel.relu_cuda.cuda-minver" ]
  ];
  showBound.values = [
    (map bounds.showBound [
      { at = "torch.minver"; value = "2.9"; }
      { at = "kernel.a.cuda-minver, kernel.b.cuda-minver"; value = [ "12.8" "13" ]; }
    ])
    [ "torch.minver = \"2.9\"" "kernel.a.cuda-minver, kernel.b.cuda-minver = \"12.8\", \"13\"" ]
  ];
  checkBounds = {
    some = [ (bounds.checkBounds { config = relu; variants = of relu; }) [ ] ];
    everyBound = [
      (map (problem: problem.found) (
        bounds.checkBounds {
          config = (withCuda { minver = "13.0"; }) // { torch = relu.torch // { maxver = "2.11"; }; };
          variants = [ ];
        }
      ))
      [ "no build of Torch for cuda with torch.maxver = \"2.11\" and with kernel.relu_cuda.cuda-minver = \"13.0\"" ]
    ];
    backendThatNoBuildIsFor = [
      (map (problem: problem.at) (
        bounds.checkBounds { config = withGeneral { backends = [ "xpu" ]; }; variants = [ ]; }
      ))
      [ "general.backends" ]
    ];
  };
}
