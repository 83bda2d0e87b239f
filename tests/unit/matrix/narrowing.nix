# Many lines because a module's suite is one file, and every way to list targets has its case.
{ matrix, ... }@library:
let
  inherit (matrix) narrowing;
  inherit (import ../kernels/small-matrix.nix library) of relu withCuda;
  inherit (builtins) elemAt filter head;

  component = targets: relu.components.relu_cuda // { cuda-capabilities = targets; };
  # The CUDA variants of a kernel with these components.
  with' =
    listed:
    of (withCuda { } // { components = builtins.mapAttrs (_: component) listed; });
  one =
    requested: listed:
    head (narrowing.narrowVariants {
      variants = with' listed;
      inherit requested;
    });
  # The variant for CUDA 13.0 is the last.
  newest =
    requested: listed:
    elemAt (narrowing.narrowVariants {
      variants = with' listed;
      inherit requested;
    }) 2;
  targetsOf = requested: listed: (one requested listed).targets;
  natten = {
    main = [
      "8.0"
      "9.0"
      "10.0"
      "12.0"
    ];
    hopper = [ "9.0a" ];
    blackwell = [
      "10.0a"
      "10.3a"
    ];
  };
in
{
  narrowVariants = {
    whatIsListed = {
      expr = targetsOf [ "9.0" ] {
        a = [
          "8.0"
          "9.0"
        ];
      };
      expected.a = [ "9.0" ];
    };
    # The code that the driver selects in the full variant.
    bestOfTheSameDevice = {
      expr = map (word: targetsOf [ word ] {
        a = [
          "8.0"
          "9.0"
          "9.0a"
        ];
        b = [ "9.0+PTX" ];
      }) [ "9.0" "9.0a" "9.0+PTX" ];
      expected = [
        {
          a = [ "9.0a" ];
          b = [ "9.0+PTX" ];
        }
        {
          a = [ "9.0a" ];
          b = [ "9.0+PTX" ];
        }
        {
          a = [ "9.0a" ];
          b = [ "9.0+PTX" ];
        }
      ];
    };
    # The published natten. A device cannot load code for another major version.
    suffixedBesidePlainLists = {
      expr = map (word: (newest [ word ] natten).targets) [
        "9.0a"
        "10.0a"
        "8.6"
        "10.3"
      ];
      expected = [
        {
          main = [ "9.0" ];
          hopper = [ "9.0a" ];
          blackwell = [ "10.0a" ];
        }
        {
          main = [ "10.0" ];
          hopper = [ "9.0a" ];
          blackwell = [ "10.0a" ];
        }
        {
          main = [ "8.0" ];
          hopper = [ "9.0a" ];
          blackwell = [ "10.0a" ];
        }
        {
          main = [ "10.0" ];
          hopper = [ "9.0a" ];
          blackwell = [ "10.3a" ];
        }
      ];
    };
    suffixedBesidePlainListsIsNoWarning = {
      expr = (newest [ "9.0a" "10.3" ] natten).warnings;
      expected = [ ];
    };
    severalSuffixed = {
      expr = (newest [ "9.0a" "8.0" ] natten).targets;
      expected = {
        main = [
          "8.0"
          "9.0"
        ];
        hopper = [ "9.0a" ];
        blackwell = [ "10.0a" ];
      };
    };
    # "9.0+PTX" ends the default list of CUDA 12.6.
    suffixedBesidePtx = {
      expr = targetsOf [ "9.0a" ] {
        a = [ "9.0+PTX" ];
        b = [ "9.0a" ];
        c = null;
      };
      expected = {
        a = [ "9.0+PTX" ];
        b = [ "9.0a" ];
        c = [ "9.0+PTX" ];
      };
    };
    # The published flash-mla.
    ofItsFamily = {
      expr =
        let
          narrowed = newest [ "10.3" ] {
            sm90 = [ "9.0a" ];
            sm100 = [ "10.0f" ];
          };
        in
        [
          narrowed.targets
          narrowed.warnings
        ];
      expected = [
        {
          sm90 = [ "9.0a" ];
          sm100 = [ "10.0f" ];
        }
        [ ]
      ];
    };
    inOneAndNotInAnother = {
      expr =
        let
          narrowed = one [ "9.0" "8.0" ] {
            a = [
              "8.0"
              "9.0"
            ];
            b = [ "8.0" ];
          };
        in
        [
          narrowed.targets
          (map (note: note.found) narrowed.warnings)
        ];
      expected = [
        {
          a = [
            "8.0"
            "9.0"
          ];
          b = [
            "8.0"
            "9.0"
          ];
        }
        [
          "\"9.0\", which can load nothing that kernel.b lists; only this build compiles for it"
        ]
      ];
    };
    architectures = {
      expr =
        let
          hip = listed: head (narrowing.narrowVariants {
            variants = of (
              relu
              // {
                general = relu.general // {
                  backends = [ "rocm" ];
                };
                components = builtins.mapAttrs (_: rocm-archs: {
                  backend = "rocm";
                  inherit rocm-archs;
                }) listed;
              }
            );
            requested = [ "gfx942" ];
          });
          narrowed = hip {
            a = [
              "gfx90a"
              "gfx942"
            ];
            b = [ "gfx1100" ];
          };
        in
        [
          narrowed.targets
          (map (note: note.found) narrowed.warnings)
        ];
      expected = [
        {
          a = [ "gfx942" ];
          b = [ "gfx942" ];
        }
        [
          "\"gfx942\", which can load nothing that kernel.b lists; only this build compiles for it"
        ]
      ];
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
    byWayOfPtx = {
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
    onlyNewerOnesAreNoCodeForIt = {
      expr = targetsOf [ "7.5" ] {
        a = [ "7.5" ];
        b = [
          "8.0"
          "9.0"
        ];
      };
      expected = {
        a = [ "7.5" ];
        b = [ "7.5" ];
      };
    };
    whatNobodyLists = {
      expr =
        let
          narrowed = one [ "7.5" ] { a = [ "8.0" ]; };
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
          "7.5"
          "8.0"
        ];
        partial = [ "7.5" ];
        problems = [ ];
        targets.a = [ "7.5" ];
        notes = [
          "\"7.5\", which can load nothing that kernel.a lists; only this build compiles for it"
        ];
      };
    };
    # Sources for one device only cannot be compiled for another.
    notByCodeForOneDevice = {
      expr = targetsOf [ "8.6" ] {
        a = [ "8.0" ];
        b = [ "9.0a" ];
      };
      expected = {
        a = [ "8.0" ];
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
          requested = map (toolkit: toolkit [ "10.3" ] { a = [ "8.0" ]; });
        in
        map (variant: map (problem: { inherit (problem) at found; }) variant.problems) (requested [
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
    # Warnings about other targets are dropped.
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
        isOfCpu (narrowing.narrowVariants {
          variants = all;
          requested = [ "9.0" ];
        }) == isOfCpu all;
      expected = true;
    };
  };
}
