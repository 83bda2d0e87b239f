{ frameworks, config, ... }@library:
let
  inherit (config) shape sources;
  fill =
    file:
    shape.fillConfig (
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
  withSections = config: rec {
    inherit config;
    root = ../kernels/odd;
    sections = library.config.sections.listSections { inherit config root; };
  };
  ask = file: map (problem: problem.at) (sources.checkSources (withSections (fill file)));
  warn =
    file:
    map (warning: warning.at) (
      sources.listSourceWarnings { inherit (withSections (fill file)) sections; }
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
    fileForIncludes = {
      expr = ask { kernel.a = component "cpu" [ "src/a.cpp" "src/notes.txt" ]; };
      expected = [ ];
    };
    endingOfAnotherLanguage = {
      expr = ask { kernel.a = component "cpu" [ "src/a.cpp" "src/b.f90" ]; };
      expected = [ "kernel.a.src[1]" ];
    };
    endingOfAnotherBackend = {
      expr = ask { kernel.a = component "cpu" [ "src/a.cpp" "src/b.cu" ]; };
      expected = [ "kernel.a.src[1]" ];
    };
    # Every backend of the kernel compiles [torch].
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
    # Nix cannot tell where a link leads, so paths through links are refused.
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
        sources.checkSources (withSections {
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
        })
      );
      expected = [
        "\"src/linked.cpp\", which is a symbolic link: put the file or folder itself there"
        "\"linked\", which is a symbolic link: put the file or folder itself there"
      ];
    };
    noPackage = {
      expr = map (problem: problem.at) (
        sources.checkSources (withSections {
          framework = null;
          components = { };
          general = {
            backends = [ "cpu" ];
            python-name = "even";
          };
        })
      );
      expected = [ "torch-ext/even/__init__.py" ];
    };
  };
  listSourceWarnings = {
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
