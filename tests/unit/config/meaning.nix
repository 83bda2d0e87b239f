{ meaning, shape, ... }:
let
  ask =
    file:
    meaning.checkMeaning { inherit file; brought = [ ]; config = shape.fillConfig file; };
  ats = file: map (problem: problem.at) (ask file);
  good = { general = { name = "relu"; backends = [ "cpu" "cuda" "rocm" ]; }; torch.src = [ "a.cpp" ]; };
  withComponent =
    more:
    good
    // { kernel.a = { backend = "cuda"; depends = [ "torch" ]; src = [ "a.cu" ]; } // more; };
in
{
  checkMeaning = {
    none = [ (ats (withComponent { })) [ ] ];
    boundsThatMeet = [ (ats (good // { torch = good.torch // { minver = "2.12.1"; maxver = "2.12"; }; })) [ ] ];
    stableAbiOfNoTorch = [
      (map (stable-abi: ats (good // { torch = good.torch // { inherit stable-abi; }; })) [
        "2.1"
        { cuda = "2.8"; rocm = "2.10"; }
        "2.9"
        "2.10"
        "3.0"
        null
      ])
      [ [ "torch.stable-abi" ] [ "torch.stable-abi.cuda" ] [ ] [ ] [ ] [ ] ]
    ];
    dependenciesCanBeExtended = [
      (meaning.checkMeaning {
        file = withComponent { };
        config = shape.fillConfig (withComponent { depends = [ "mine" ]; });
        brought = [ "mine" ];
      })
      [ ]
    ];
    targetsAreForTheCompilersToJudge = [
      (ats (withComponent { cuda-capabilities = [ "9.0a" "9.9" "8.0+PTX" ]; }))
      [ ]
    ];
  };
  listMeaningWarnings = {
    moduleOfPython = [
      (map
        (
          name:
          map (warning: warning.at) (
            meaning.listMeaningWarnings {
              config = shape.fillConfig { general = good.general // { inherit name; }; torch-noarch = { }; };
            }
          )
        )
        [ "random" "py-compile" "torch" "kernels" "huggingface-hub" "pytest" "tests" "randoms" ])
      (builtins.genList (_: [ "general.name" ]) 7 ++ [ [ ] ])
    ];
    targetThatNobodyKnows = [
      (map
        (warning: [ warning.at warning.found ])
        (
          meaning.listMeaningWarnings {
            config = shape.fillConfig (
              removeAttrs good [ "torch" ]
              // { torch-noarch = { cuda-capabilities = [ "9.0" ]; rocm-archs = [ "gfx942" "gfx940" ]; }; }
            );
          }
        ))
      [ [ "torch-noarch.rocm-archs[1]" "\"gfx940\", which no known version of ROCm compiles for" ] ]
    ];
    backendWithoutComponent = [
      (map (warning: warning.found) (meaning.listMeaningWarnings { config = shape.fillConfig (withComponent { }); }))
      [ "\"cpu\", \"rocm\", for which there is no component: the sources of [torch] are not compiled there either" ]
    ];
    bindingOfTvmFfiAlone = [
      (map (kernel: builtins.length (meaning.listMeaningWarnings {
        config = shape.fillConfig (removeAttrs (withComponent { }) [ "torch" "kernel" ] // {
          tvm-ffi.src = [ "a.cpp" ];
          inherit kernel;
        });
      })) [ { } (withComponent { }).kernel ])
      [ 0 1 ]
    ];
    noarch = [
      (meaning.listMeaningWarnings { config = shape.fillConfig { inherit (good) general; torch-noarch = { }; }; })
      [ ]
    ];
  };
}
