{ narrowing, ... }@library:
let
  inherit (import ../kernels/small-matrix.nix library) of relu withBackends withSections;
  inherit (builtins) elemAt filter head;

  kernelWith =
    backend: listed:
    of (withSections (withBackends [ backend ]) (builtins.mapAttrs (_: targets: { inherit backend targets; }) listed));
  # The CUDA variants of a kernel with these components.
  with' = kernelWith "cuda";
  one =
    requested: listed:
    head (narrowing.narrowVariants { variants = with' listed; inherit requested; });
  # The variant for CUDA 13.0 is the last.
  newest =
    requested: listed:
    elemAt (narrowing.narrowVariants { variants = with' listed; inherit requested; }) 2;
  natten = { main = [ "8.0" "9.0" "10.0" "12.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" "10.3a" ]; };
  flashMla = { sm90 = [ "9.0a" ]; sm100 = [ "10.0f" ]; };
  sageAttention = { sm80 = [ "8.0" ]; sm90 = [ "9.0a" ]; every = [ "8.0" "8.9" "9.0a" ]; };
  bestOfTheSameDevice = { a = [ "8.0" "9.0" "9.0a" ]; b = [ "9.0+PTX" ]; };
  # The narrowed variant for CUDA 12.6, or for 13.0: what is requested, what components list, and their targets.
  case = requested: listed: targets: { inherit requested listed targets; };
  ofComponents = builtins.attrValues;
  judge = select: cases: [
    (map (each: ofComponents (select each.requested each.listed).targets) cases)
    (map (each: ofComponents each.targets) cases)
  ];
in
{
  narrowVariants = {
    forAnOlderToolkit = judge one [
      (case [ "9.0" ] { a = [ "8.0" "9.0" ]; } { a = [ "9.0" ]; })
      # The code that the driver selects in the full variant.
      (case [ "9.0" ] bestOfTheSameDevice { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; })
      (case [ "9.0a" ] bestOfTheSameDevice { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; })
      (case [ "9.0+PTX" ] bestOfTheSameDevice { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; })
      # "9.0+PTX" ends the default list of CUDA 12.6.
      (case [ "9.0a" ] { a = [ "9.0+PTX" ]; b = [ "9.0a" ]; c = null; } { a = [ "9.0+PTX" ]; b = [ "9.0a" ]; c = [ "9.0+PTX" ]; })
      (case [ "9.0" "8.0" ] { a = [ "8.0" "9.0" ]; b = [ "8.0" ]; } { a = [ "8.0" "9.0" ]; b = [ "8.0" ]; })
      (case [ "9.0" "8.0" ] { a = [ "8.0" "8.6" "9.0" ]; } { a = [ "8.0" "9.0" ]; })
      # This toolkit cannot compile what `c` lists.
      (case [ "9.0" ] { a = [ "9.0a" ]; b = [ "7.5" "8.0+PTX" ]; c = [ "12.0" ]; } { a = [ "9.0a" ]; b = [ "8.0+PTX" ]; c = [ ]; })
      # Code for newer devices alone.
      (case [ "7.5" ] { a = [ "7.5" ]; b = [ "8.0" "9.0" ]; } { a = [ "7.5" ]; b = [ "8.0" ]; })
      # Sources for one device only cannot be compiled for another.
      (case [ "8.6" ] { a = [ "8.0" ]; b = [ "9.0a" ]; } { a = [ "8.0" ]; b = [ "9.0a" ]; })
    ];
    # The published natten, flash-mla and sage-attention. A device cannot load code for another major version.
    forANewerToolkit = judge newest [
      (case [ "9.0a" ] natten { main = [ "9.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; })
      (case [ "10.0a" ] natten { main = [ "10.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; })
      (case [ "8.6" ] natten { main = [ "8.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; })
      (case [ "10.3" ] natten { main = [ "10.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.3a" ]; })
      (case [ "9.0a" "8.0" ] natten { main = [ "8.0" "9.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; })
      (case [ "10.3" ] flashMla flashMla)
      (case [ "9.0" ] sageAttention { sm80 = [ "8.0" ]; sm90 = [ "9.0a" ]; every = [ "9.0a" ]; })
    ];
    architectures = judge (requested: listed: head (
      narrowing.narrowVariants { inherit requested; variants = kernelWith "rocm" listed; }
    )) [ (case [ "gfx942" ] { a = [ "gfx90a" "gfx942" ]; b = [ "gfx1100" ]; } { a = [ "gfx942" ]; b = [ "gfx1100" ]; }) ];
    withoutProblems = [
      (builtins.concatMap (variant: variant.warnings ++ variant.problems) [
        (newest [ "9.0a" "10.3" ] natten)
        (newest [ "10.3" ] flashMla)
        (newest [ "9.0" ] sageAttention)
        (one [ "9.0" "8.0" ] { a = [ "8.0" "9.0" ]; b = [ "8.0" ]; })
      ])
      [ ]
    ];
    # A variant whose toolkit compiles code for it has no problem.
    whatNobodyLists = [
      (map
        (narrowed: {
          inherit (narrowed) listed partial targets;
          problems = map (problem: { inherit (problem) at found; }) narrowed.problems;
        })
        [ (one [ "10.3" ] { a = [ "8.0" "10.3" ]; }) (newest [ "10.3" ] { a = [ "8.0" "10.3" ]; }) ])
      [
        {
          listed."kernel.a" = [ "8.0" ];
          partial = [ "10.3" ];
          targets."kernel.a" = [ "8.0" ];
          problems = [
            {
              at = "--capability";
              found = "\"10.3\", which can load nothing that this variant is compiled for: kernel.a.cuda-capabilities has \"8.0\"";
            }
          ];
        }
        {
          listed."kernel.a" = [ "8.0" "10.3" ]; partial = [ "10.3" ]; targets."kernel.a" = [ "10.3" ]; problems = [ ];
        }
      ]
    ];
    notForThisDevice = [ (map (problem: problem.at) (one [ "8.6" ] { b = [ "9.0a" ]; }).problems) [ "--capability" ] ];
    # Warnings about other targets are dropped.
    withoutWarningsOfTheWhole = [
      (map (variant: builtins.length variant.warnings) [
        (head (with' { a = [ "9.0" "12.0" ]; }))
        (one [ "9.0" ] { a = [ "9.0" "12.0" ]; })
      ])
      [ 1 0 ]
    ];
    othersAsTheyAre = [
      (let
        isOfCpu = filter (variant: variant.backend == "cpu");
        all = of relu;
      in
      isOfCpu (narrowing.narrowVariants { variants = all; requested = [ "9.0" ]; }) == isOfCpu all)
      true
    ];
  };
}
