{ frameworks, config, ... }@library:
let
  inherit (config) shape sources;
  fill =
    file:
    let
      config = shape.fillConfig (
        {
          general = {
            name = "odd";
            backends = [
              "cpu"
              "cuda"
            ];
          };
        }
        // file
      );
    in
    config
    // {
      general = config.general // {
        python-name = "odd";
      };
    };
  ask =
    file:
    map (problem: problem.at) (
      sources.checkSources {
        root = ../kernels/odd;
        config = fill file;
      }
    );
  warn = file: map (warning: warning.at) (sources.listSourceWarnings { config = fill file; });
  # With one more key, which is no list.
  inherit (config.schema) sections;
  withKey = import ../../../lib/config/sources (
    library
    // {
      config = config // {
        schema = config.schema // {
          sections = sections // {
            "kernel.NAME" = sections."kernel.NAME" // {
              keys = sections."kernel.NAME".keys // {
                unroll-loops = sections."kernel.NAME".keys.cxx-flags // {
                  type = "bool";
                  default = false;
                };
              };
            };
          };
        };
      };
    }
  );
  component = backend: src: {
    inherit backend src;
    depends = [ ];
  };
in
{
  checkSources = {
    none = {
      expr = ask {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cuda" [ "src/b.cu" ];
      };
      expected = [ ];
    };
    headersMayRepeat = {
      expr = ask {
        kernel.a = component "cpu" [
          "src/a.cpp"
          "src/a.h"
        ];
        kernel.b = component "cuda" [
          "src/b.cu"
          "src/a.h"
        ];
      };
      expected = [ ];
    };
    unitsMayRepeatBetweenBackends = {
      expr = ask {
        kernel.a = component "cpu" [ "src/a.cpp" ];
        kernel.b = component "cuda" [ "src/a.cpp" ];
      };
      expected = [ ];
    };
    unitOfTwoComponents = {
      expr = ask {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
        kernel.b = component "cuda" [ "src/b.cu" ] // {
          cuda-capabilities = [ "9.0a" ];
        };
        kernel.c = component "cuda" [ "./src/b.cu" ] // {
          cuda-capabilities = [ "10.0a" ];
        };
      };
      expected = [ ];
    };
    ending = {
      expr = ask { kernel.a = component "cpu" [ "src/a.cpp" "src/notes.txt" ]; };
      expected = [ "kernel.a.src[1]" ];
    };
    endingOfAnotherBackend = {
      expr = ask { kernel.a = component "cpu" [ "src/a.cpp" "src/b.cu" ]; };
      expected = [ "kernel.a.src[1]" ];
    };
    # [torch] is compiled by every backend of the kernel.
    endingInTorch = {
      expr = ask { torch.src = [ "src/a.cpp" "src/b.cu" ]; };
      expected = [ "torch.src[1]" ];
    };
    headersOnly = {
      expr = ask {
        torch.src = [ "src/a.h" ];
        kernel.a = component "cpu" [ "src/a.h" ];
      };
      expected = [ "torch.src" ];
    };
    includeFolders = {
      expr = ask {
        torch = {
          src = [ "src/a.cpp" ];
          include = [
            "."
            "src"
            "include"
          ];
        };
      };
      expected = [ "torch.include[2]" ];
    };
    wrongBackendIsToldElsewhere = {
      expr = ask { kernel.a = component "vulkan" [ "src/a.spv" "src/a.cpp" ]; };
      expected = [ "kernel.a.src[0]" ];
    };
    # Where a link leads, Nix cannot say: nothing is reached through one.
    links = {
      expr = ask {
        torch = {
          src = [
            "src/a.cpp"
            "src/linked.cpp"
          ];
          include = [ "linked" ];
        };
        kernel.a = component "cpu" [ "linked/relu.cpp" "src/a.cpp" ];
      };
      expected = [
        "torch.src[1]"
        "torch.include[0]"
        "kernel.a.src[0]"
      ];
    };
    linksAndTheWayOut = {
      expr = map (problem: "${problem.found}: ${problem.fix}") (
        sources.checkSources {
          root = ../kernels/odd;
          config = {
            framework = frameworks.all.torch;
            section = {
              src = [
                "src/a.cpp"
                "src/linked.cpp"
              ];
              include = [ "linked" ];
            };
            components = { };
            general = {
              backends = [ "cpu" ];
              python-name = "odd";
            };
          };
        }
      );
      expected = [
        "\"src/linked.cpp\", which is a symbolic link: put the file or folder itself there"
        "\"linked\", which is a symbolic link: put the file or folder itself there"
      ];
    };
    noPackage = {
      expr = map (problem: problem.at) (
        sources.checkSources {
          root = ../kernels/odd;
          config = {
            framework = null;
            components = { };
            general = {
              backends = [ "cpu" ];
              python-name = "even";
            };
          };
        }
      );
      expected = [ "torch-ext/even/__init__.py" ];
    };
  };
  listSourceWarnings = {
    sameSourceWithAnotherValue = {
      expr =
        let
          filled = fill {
            torch.src = [ "src/b.cpp" ];
            kernel.a = component "cpu" [ "src/a.cpp" ];
            kernel.b = component "cpu" [ "src/a.cpp" ];
          };
          values = unrolled: filled // {
            components = filled.components // {
              a = filled.components.a // {
                unroll-loops = unrolled;
              };
            };
          };
        in
        map
          (config: map (warning: { inherit (warning) found want; }) (withKey.listSourceWarnings { inherit config; }))
          [
            (values true)
            (values false)
          ];
      expected = [
        [
          {
            found = "\"src/a.cpp\", which kernel.a.src[0] lists with other unroll-loops";
            want = "the same wherever it is listed: it is compiled once, as kernel.a says";
          }
        ]
        [ ]
      ];
    };
    folderInAFlag = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cuda" [ "src/b.cu" ] // {
          cuda-flags = [ "-Isrc" ];
        };
      };
      expected = [ "kernel.a.cuda-flags" ];
    };
    headersOnly = {
      expr = warn { kernel.a = component "cpu" [ "src/a.h" ]; };
      expected = [ "kernel.a.src" ];
    };
    unitTwiceInASection = {
      expr = warn {
        torch.src = [
          "src/a.cpp"
          "./src/a.cpp"
        ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
      };
      expected = [ "torch.src[1]" ];
    };
    unitOfTwoSections = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
      };
      expected = [ ];
    };
    unitOfTwoSectionsWithOtherFlags = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ] // {
          cxx-flags = [ "-DA" ];
        };
      };
      expected = [ "kernel.a.src[0]" ];
    };
  };
}
