{ config, ... }:
let
  inherit (config) meaning shape;
  dependencies = config.dependencies.table;
  ask =
    file:
    meaning.checkMeaning {
      inherit file dependencies;
      config = shape.fillConfig file;
    };
  ats = file: map (problem: problem.at) (ask file);
  good = {
    general = {
      name = "relu";
      backends = [
        "cpu"
        "cuda"
        "rocm"
      ];
    };
    torch.src = [ "a.cpp" ];
  };
  withComponent =
    more:
    good
    // {
      kernel.a = {
        backend = "cuda";
        depends = [ "torch" ];
        src = [ "a.cu" ];
      }
      // more;
    };
in
{
  checkMeaning = {
    none = {
      expr = ats (withComponent { });
      expected = [ ];
    };
    keywordOfPython = {
      expr = ats {
        general = good.general // {
          name = "lambda";
        };
        torch-noarch = { };
      };
      expected = [ "general.name" ];
    };
    noFramework = {
      expr = ats { inherit (good) general; };
      expected = [ "torch" ];
    };
    twoFrameworks = {
      expr = ats (good // { torch-noarch = { }; });
      expected = [ "torch-noarch" ];
    };
    tvmFfi = {
      expr = ats {
        inherit (good) general;
        tvm-ffi.src = [ ];
      };
      expected = [ ];
    };
    noarchWithComponents = {
      expr = ats (
        removeAttrs (withComponent { }) [ "torch" ] // { torch-noarch = { }; }
      );
      expected = [ "kernel" ];
    };
    noBackend = {
      expr = ats (good // { general = { name = "relu"; backends = [ ]; }; });
      expected = [ "general.backends" ];
    };
    backendTwice = {
      expr = ats (good // { general.backends = [ "cpu" "cpu" ]; });
      expected = [ "general.backends[1]" ];
    };
    edition = {
      expr = ats (good // { general = good.general // { edition = 6; }; });
      expected = [ "general.edition" ];
    };
    backendNotListed = {
      expr = ats (withComponent { backend = "xpu"; });
      expected = [ "kernel.a.backend" ];
    };
    bounds = {
      expr = ats (
        good
        // {
          torch = good.torch // {
            minver = "2.12";
            maxver = "2.11.1";
          };
        }
      );
      expected = [ "torch.minver" ];
    };
    boundsThatMeet = {
      expr = ats (
        good
        // {
          torch = good.torch // {
            minver = "2.12.1";
            maxver = "2.12";
          };
        }
      );
      expected = [ ];
    };
    cudaBounds = {
      expr = ats (
        good
        // {
          general = good.general // {
            cuda = {
              minver = "13.0";
              maxver = "12.9";
            };
          };
        }
      );
      expected = [ "general.cuda.minver" ];
    };
    stableAbiBackends = {
      expr = ats (good // { torch = good.torch // { stable-abi.gpu = "2.11"; }; });
      expected = [ "torch.stable-abi.gpu" ];
    };
    unknownDependency = {
      expr = map (problem: problem.fix) (ask (withComponent { depends = [ "cutlass_3_7" ]; }));
      expected = [ "write one of them" ];
    };
    dependencyOfAnotherBackend = {
      expr = ats (withComponent { depends = [ "torch" "sycl_tla" ]; });
      expected = [ "kernel.a.depends[1]" ];
    };
    pythonDependency = {
      expr = ats (good // { general = good.general // { python-depends = [ "einops" "torch" ]; }; });
      expected = [ "general.python-depends[1]" ];
    };
    pythonDependencyOfABackend = {
      expr = ats (
        good
        // {
          general = good.general // {
            cuda.python-depends = [ "nvidia-cutlass-dsl" ];
            rocm.python-depends = [ "nvidia-cutlass-dsl" ];
          };
        }
      );
      expected = [ "general.rocm.python-depends[0]" ];
    };
    dependenciesCanBeExtended = {
      expr = meaning.checkMeaning {
        file = withComponent { };
        config = shape.fillConfig (withComponent { depends = [ "mine" ]; });
        dependencies = dependencies // {
          depends.mine.backends = null;
        };
      };
      expected = [ ];
    };
    targetsAreForTheCompilersToJudge = {
      expr = ats (withComponent { cuda-capabilities = [ "9.0a" "9.9" "8.0+PTX" ]; });
      expected = [ ];
    };
  };
  listMeaningWarnings = {
    moduleOfPython = {
      expr =
        map
          (
            name:
            map (warning: warning.at) (
              meaning.listMeaningWarnings {
                config = shape.fillConfig {
                  general = good.general // {
                    inherit name;
                  };
                  torch-noarch = { };
                };
              }
            )
          )
          [
            "random"
            "py-compile"
            "randoms"
          ];
      expected = [
        [ "general.name" ]
        [ "general.name" ]
        [ ]
      ];
    };
    targetThatNobodyKnows = {
      expr =
        map
          (warning: [
            warning.at
            warning.found
          ])
          (
            meaning.listMeaningWarnings {
              config = shape.fillConfig (
                removeAttrs good [ "torch" ]
                // {
                  torch-noarch = {
                    cuda-capabilities = [ "9.0" ];
                    rocm-archs = [
                      "gfx942"
                      "gfx940"
                    ];
                  };
                }
              );
            }
          );
      expected = [
        [
          "torch-noarch.rocm-archs[1]"
          "\"gfx940\", which no known version of ROCm compiles for"
        ]
      ];
    };
    backendWithoutComponent = {
      expr = map (warning: warning.found) (
        meaning.listMeaningWarnings { config = shape.fillConfig (withComponent { }); }
      );
      expected = [
        "\"cpu\", \"rocm\", for which there is no component: the sources of [torch] are not compiled there either"
      ];
    };
    bindingOfTvmFfiAlone = {
      expr = map (kernel: builtins.length (meaning.listMeaningWarnings {
        config = shape.fillConfig (removeAttrs (withComponent { }) [ "torch" "kernel" ] // {
          tvm-ffi.src = [ "a.cpp" ];
          inherit kernel;
        });
      })) [ { } (withComponent { }).kernel ];
      expected = [
        0
        1
      ];
    };
    noarch = {
      expr = meaning.listMeaningWarnings {
        config = shape.fillConfig {
          inherit (good) general;
          torch-noarch = { };
        };
      };
      expected = [ ];
    };
  };
}
