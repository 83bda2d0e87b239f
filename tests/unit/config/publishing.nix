{ publishing, ... }:
let
  ask =
    root: license:
    map (warning: [ warning.at warning.found ]) (
      publishing.listPublishingWarnings { inherit root; config.general = { inherit license; }; }
    );
in
{
  listUnlistedSources.besideListedOnes = [
    (map (problem: [ problem.at problem.found ]) (publishing.listUnlistedSources {
      root = ../../../examples/silu-and-mul;
      config = { general.backends = [ "cpu" ]; sections = [ { src = [ "silu_and_mul_cpu/segment/avx2.cpp" ]; } ]; };
      graph = { "silu_and_mul_cpu/segment/avx2.cpp" = { }; "silu_and_mul_cpu/segment/baseline.cpp" = { }; };
    }))
    [ [ "silu_and_mul_cpu/segment/avx512.cpp" "a source that no `src` lists, as 1 more in its folder" ] ]
  ];
  listPublishingWarnings = {
    nothing = [ (ask ../../../examples/relu "mit") [ ] ];
    # As most published kernels have it.
    licensesInLargeLetters = [ (builtins.concatMap (ask ../../../examples/relu) [ "MIT" "Apache-2.0" ]) [ ] ];
    license = [ (ask ../../../examples/relu null) [ [ "general.license" "no license" ] ] ];
    licensesByOtherNames = [
      (map (license: (builtins.head (publishing.listPublishingWarnings {
        root = ../../../examples/relu;
        config.general = { inherit license; };
      })).fix) [ "BSD 3-Clause" "Apache License 2.0" "MIT License" "GPL-3.0-only" "LGPL-2.1+" "apache 2" "BSD3" "mitt" "Acme Terms" ])
      (
        map (name: "write \"${name}\"") [ "bsd-3-clause" "apache-2.0" "mit" "gpl-3.0" "lgpl-2.1" "apache-2.0" "bsd-3-clause" "mit" ]
        ++ [ "write \"other\", and say in CARD.md which license it is" ]
      )
    ];
    noTests = [ (ask ../kernels/relu "mit") [ [ "tests/" "no test with the marker kernels_ci" ] ] ];
    markedByAHook = [ (ask ../kernels/marked "mit") [ ] ];
    noMarker = [ (ask ../kernels/with-data "mit") [ [ "tests/" "no test with the marker kernels_ci" ] ] ];
  };
}
