# Many lines because a module's suite is one file, and every way to list targets has its case.
{ matrix, ... }@library:
let
  inherit (matrix) narrowing;
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
  targetsOf = requested: listed: (one requested listed).targets;
  natten = { main = [ "8.0" "9.0" "10.0" "12.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" "10.3a" ]; };
in
{
  narrowVariants = {
    whatIsListed = [ (targetsOf [ "9.0" ] { a = [ "8.0" "9.0" ]; }) { a = [ "9.0" ]; } ];
    # The code that the driver selects in the full variant.
    bestOfTheSameDevice = [
      (map (word: targetsOf [ word ] { a = [ "8.0" "9.0" "9.0a" ]; b = [ "9.0+PTX" ]; }) [ "9.0" "9.0a" "9.0+PTX" ])
      [
        { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; }
        { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; }
        { a = [ "9.0a" ]; b = [ "9.0+PTX" ]; }
      ]
    ];
    # The published natten. A device cannot load code for another major version.
    suffixedBesidePlainLists = [
      (map (word: (newest [ word ] natten).targets) [ "9.0a" "10.0a" "8.6" "10.3" ])
      [
        { main = [ "9.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; }
        { main = [ "10.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; }
        { main = [ "8.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; }
        { main = [ "10.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.3a" ]; }
      ]
    ];
    suffixedBesidePlainListsIsNoWarning = [ (newest [ "9.0a" "10.3" ] natten).warnings [ ] ];
    severalSuffixed = [
      (newest [ "9.0a" "8.0" ] natten).targets
      { main = [ "8.0" "9.0" ]; hopper = [ "9.0a" ]; blackwell = [ "10.0a" ]; }
    ];
    # "9.0+PTX" ends the default list of CUDA 12.6.
    suffixedBesidePtx = [
      (targetsOf [ "9.0a" ] { a = [ "9.0+PTX" ]; b = [ "9.0a" ]; c = null; })
      { a = [ "9.0+PTX" ]; b = [ "9.0a" ]; c = [ "9.0+PTX" ]; }
    ];
    # The published flash-mla.
    ofItsFamily = [
      (let
        narrowed = newest [ "10.3" ] { sm90 = [ "9.0a" ]; sm100 = [ "10.0f" ]; };
      in
      [ narrowed.targets narrowed.warnings ])
      [ { sm90 = [ "9.0a" ]; sm100 = [ "10.0f" ]; } [ ] ]
    ];
    inOneAndNotInAnother = [
      (let
        narrowed = one [ "9.0" "8.0" ] { a = [ "8.0" "9.0" ]; b = [ "8.0" ]; };
      in
      [ narrowed.targets (map (note: note.found) narrowed.warnings) ])
      [ { a = [ "8.0" "9.0" ]; b = [ "8.0" ]; } [ ] ]
    ];
    architectures = [
      (let
        hip = listed: head (narrowing.narrowVariants {
          variants = kernelWith "rocm" listed;
          requested = [ "gfx942" ];
        });
        narrowed = hip { a = [ "gfx90a" "gfx942" ]; b = [ "gfx1100" ]; };
      in
      [ narrowed.targets (map (note: note.found) narrowed.warnings) ])
      [ { a = [ "gfx942" ]; b = [ "gfx1100" ]; } [ ] ]
    ];
    severalInTheirOrder = [ (targetsOf [ "9.0" "8.0" ] { a = [ "8.0" "8.6" "9.0" ]; }) { a = [ "8.0" "9.0" ]; } ];
    byWayOfPtx = {
      expr = targetsOf [ "9.0" ] { a = [ "9.0a" ]; b = [ "7.5" "8.0+PTX" ]; c = [ "12.0" ]; };
      # This toolkit cannot compile what `c` lists.
      expected = { a = [ "9.0a" ]; b = [ "8.0+PTX" ]; c = [ ]; };
    };
    onlyNewerOnesAreNoCodeForIt = [
      (targetsOf [ "7.5" ] { a = [ "7.5" ]; b = [ "8.0" "9.0" ]; })
      { a = [ "7.5" ]; b = [ "8.0" ]; }
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
          listed.a = [ "8.0" ];
          partial = [ "10.3" ];
          targets.a = [ "8.0" ];
          problems = [
            {
              at = "--capability";
              found = "\"10.3\", which can load nothing that this variant is compiled for: kernel.a.cuda-capabilities has \"8.0\"";
            }
          ];
        }
        {
          listed.a = [ "8.0" "10.3" ];
          partial = [ "10.3" ];
          targets.a = [ "10.3" ];
          problems = [ ];
        }
      ]
    ];
    # The published sage-attention: a device of 9.0 loads code of some components.
    codeOfOtherDevices = [
      (let
        narrowed = newest [ "9.0" ] { sm80 = [ "8.0" ]; sm90 = [ "9.0a" ]; every = [ "8.0" "8.9" "9.0a" ]; };
      in
      [ narrowed.targets narrowed.problems ])
      [ { sm80 = [ "8.0" ]; sm90 = [ "9.0a" ]; every = [ "9.0a" ]; } [ ] ]
    ];
    # Sources for one device only cannot be compiled for another.
    notByCodeForOneDevice = [
      (targetsOf [ "8.6" ] { a = [ "8.0" ]; b = [ "9.0a" ]; })
      { a = [ "8.0" ]; b = [ "9.0a" ]; }
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
