library:
let
  inherit (library) narrowing;
  inherit (import ../kernels/small-matrix.nix library) of relu withCuda;
  inherit (builtins) elemAt filter head;

  component = targets: relu.components.relu_cuda // { cuda-capabilities = targets; };
  # The variants for CUDA of a kernel whose components list these.
  with' =
    listed:
    of (withCuda { } // { components = builtins.mapAttrs (_: component) listed; });
  one =
    asked: listed:
    head (narrowing.narrow {
      variants = with' listed;
      inherit asked;
    });
  # With CUDA 13.0, the last.
  newest =
    asked: listed:
    elemAt (narrowing.narrow {
      variants = with' listed;
      inherit asked;
    }) 2;
  targetsOf = asked: listed: (one asked listed).targets;
in
{
  narrow = {
    whatIsListed = {
      expr = targetsOf [ "9.0" ] {
        a = [
          "8.0"
          "9.0"
        ];
      };
      expected.a = [ "9.0" ];
    };
    # Code for it alone is what a component has for it.
    moreOfTheSameDevice = {
      expr = targetsOf [ "9.0" ] {
        a = [
          "8.0"
          "9.0a"
        ];
        b = [ "9.0+PTX" ];
      };
      expected = {
        a = [ "9.0a" ];
        b = [ "9.0+PTX" ];
      };
    };
    severalInTheirOrder = {
      expr = targetsOf [ "9.0" "8.0" ] {
        a = [
          "8.0"
          "8.6"
          "9.0"
        ];
      };
      expected.a = [
        "8.0"
        "9.0"
      ];
    };
    # Another component has code for it; this one would run there by way of PTX.
    nearestThatIsListed = {
      expr = targetsOf [ "9.0" ] {
        a = [ "9.0a" ];
        b = [
          "7.5"
          "8.0+PTX"
        ];
        c = [ "12.0" ];
      };
      # This toolkit cannot compile what `c` lists.
      expected = {
        a = [ "9.0a" ];
        b = [ "8.0+PTX" ];
        c = [ ];
      };
    };
    onlyNewerOnes = {
      expr = targetsOf [ "7.5" ] {
        a = [ "7.5" ];
        b = [
          "8.0"
          "9.0"
        ];
      };
      expected = {
        a = [ "7.5" ];
        b = [ "8.0" ];
      };
    };
    whatNobodyLists = {
      expr =
        let
          narrowed = one [ "8.6" ] { a = [ "8.0" ]; };
        in
        {
          inherit (narrowed)
            listed
            partial
            problems
            targets
            ;
          notes = map (note: note.found) narrowed.warnings;
        };
      expected = {
        listed.a = [
          "8.0"
          "8.6"
        ];
        partial = [ "8.6" ];
        problems = [ ];
        targets.a = [ "8.6" ];
        notes = [ "\"8.6\", which the kernel does not list: compiled for it all the same" ];
      };
    };
    # What is for one device alone cannot be compiled for another.
    notByCodeForOneDevice = {
      expr = targetsOf [ "8.6" ] {
        a = [ "8.0" ];
        b = [ "9.0a" ];
      };
      expected = {
        a = [ "8.6" ];
        b = [ "9.0a" ];
      };
    };
    unlessThereIsNoOther = {
      expr = targetsOf [ "8.6" ] { b = [ "9.0a" ]; };
      expected.b = [ "8.6" ];
    };
    newerThanTheToolkit = {
      expr =
        let
          asked = map (toolkit: toolkit [ "10.3" ] { a = [ "8.0" ]; });
        in
        map (variant: map (problem: { inherit (problem) at found; }) variant.problems) (asked [
          one
          newest
        ]);
      expected = [
        [
          {
            at = "--capability";
            found = "only targets that CUDA 12.6 cannot compile for: [\"10.3\"]";
          }
        ]
        [ ]
      ];
    };
    # What is said of other targets is no matter now.
    withoutWarningsOfTheWhole = {
      expr = map (variant: builtins.length variant.warnings) [
        (head (with' {
          a = [
            "9.0"
            "12.0"
          ];
        }))
        (one [ "9.0" ] {
          a = [
            "9.0"
            "12.0"
          ];
        })
      ];
      expected = [
        1
        0
      ];
    };
    othersAsTheyAre = {
      expr =
        let
          isOfCpu = filter (variant: variant.backend == "cpu");
          all = of relu;
        in
        isOfCpu (narrowing.narrow {
          variants = all;
          asked = [ "9.0" ];
        }) == isOfCpu all;
      expected = true;
    };
  };
}
