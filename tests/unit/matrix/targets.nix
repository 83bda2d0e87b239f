{ targets, ... }:
let
  select =
    toolkit: requested:
    targets.selectTargets { backend = "cuda"; inherit toolkit requested; at = "kernel.a.cuda-capabilities"; };
  rocm =
    toolkit: requested:
    targets.selectTargets { backend = "rocm"; inherit toolkit requested; at = "kernel.a.rocm-archs"; };
in
{
  selectTargets = {
    # The order in build.toml does not matter.
    plainBeforeArchitecture = [
      (select "12.9" [ "10.0a" "9.0a" "10.0" "9.0" ]).targets
      [ "9.0" "9.0a" "10.0" "10.0a" ]
    ];
    # Targets that flags name are added, and the toolkit may lack them.
    flagsToo = [
      (map
        (
          { requested, flags, toolkit ? "12.6" }:
          let
            selected = targets.selectTargets {
              backend = "cuda";
              inherit flags requested toolkit;
              at = "kernel.a.cuda-capabilities";
              flagsAt = "kernel.a.cuda-flags";
            };
          in
          [ selected.targets (map (warning: "${warning.at}: ${warning.found}") selected.warnings) (builtins.length selected.problems) ]
        )
        [
          { requested = [ "9.0" ]; flags = [ "-gencode=arch=compute_80,code=[sm_80,compute_80]" ]; }
          { requested = [ "9.0" ]; flags = [ "-gencode=arch=compute_103a,code=sm_103a" ]; }
          { requested = [ ]; flags = [ "-arch=sm_90" ]; }
          { requested = null; flags = [ "-arch=sm_90a" ]; }
          { requested = [ "9.0" ]; flags = [ "-arch=native" ]; }
          { requested = [ ]; flags = [ "-arch=all-major" ]; toolkit = "13.0"; }
        ])
      [
        [ [ "8.0+PTX" "9.0" ] [ ] 0 ]
        [ [ "9.0" ] [ "kernel.a.cuda-flags: \"10.3a\", left out: only CUDA 12.9, 13.0, 13.2, 13.5 can compile for this capability" ] 0 ]
        [ [ "9.0+PTX" ] [ ] 0 ]
        [ [ "7.0" "7.2" "7.5" "8.0" "8.6" "8.7" "8.9" "9.0+PTX" "9.0a+PTX" ] [ ] 0 ]
        [ [ "9.0" ] [ ] 0 ]
        [ [ "7.5" "8.0" "9.0" "10.0" "11.0" "12.0+PTX" ] [ ] 0 ]
      ]
    ];
    oldDefault = [ (select "12.6" null).targets [ "7.0" "7.2" "7.5" "8.0" "8.6" "8.7" "8.9" "9.0+PTX" ] ];
    own = [ (select "13.0" [ "12.0f" "9.0a" "8.0" "8.0+PTX" "8.0" ]).targets [ "8.0+PTX" "9.0a" "12.0f" ] ];
    leftOutIsSaid = [
      (select "12.6" [ "9.0a" "10.3a" ])
      {
        targets = [ "9.0a" ];
        warnings = [
          {
            at = "kernel.a.cuda-capabilities";
            found = "\"10.3a\", left out: only CUDA 12.9, 13.0, 13.2, 13.5 can compile for this capability";
            want = "targets that the CUDA of every variant compiles for";
            fix = "set cuda-minver for the component, or let variants of the others lack it";
          }
        ];
        problems = [ ];
      }
    ];
    unknownIsLeftOut = [
      (map (warning: warning.found) (rocm "7.2" [ "gfx940" "gfx942" ]).warnings)
      [ "\"gfx940\", left out: no known version of ROCm compiles for it" ]
    ];
    theExactBase = [ (select "12.8" [ "10.0a" "10.0f" ]).targets [ "10.0a" ] ];
    nothingAsked = [ (map (problem: problem.found) (select "12.6" [ ]).problems) [ "an empty list" ] ];
    # Authors cannot correct the default list, so it causes no warnings.
    rocmDefaultLeftOut = [ (rocm "6.4" null).warnings [ ] ];
    rocmLeftOut = [
      (map (warning: warning.found) (rocm "6.4" [ "gfx942" "gfx950" ]).warnings)
      [ "\"gfx950\", left out: only ROCm 7.0, 7.1, 7.2 can compile for this architecture" ]
    ];
  };
}
