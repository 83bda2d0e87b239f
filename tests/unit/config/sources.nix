{ frameworks, config, ... }@library:
let
  inherit (config) shape sources;
  fill =
    file:
    shape.fillConfig ({ general = { name = "odd"; backends = [ "cpu" "cuda" ]; }; } // file);
  withSections = config: rec {
    inherit config;
    root = ../kernels/odd;
    sections = library.config.sections.listSections { inherit config root; };
  };
  ask = file: map (problem: problem.at) (sources.checkSources (withSections (fill file)));
  warn =
    file:
    map (warning: warning.at) (sources.listSourceWarnings { inherit (withSections (fill file)) sections; });
  component = backend: src: { inherit backend src; depends = [ ]; };
in
{
  checkSources = {
    none = [ (ask { torch.src = [ "src/a.cpp" ]; kernel.a = component "cuda" [ "src/b.cu" ]; }) [ ] ];
    headersMayRepeat = [
      (ask {
        kernel.a = component "cpu" [ "src/a.cpp" "src/a.h" ];
        kernel.b = component "cuda" [ "src/b.cu" "src/a.h" ];
      })
      [ ]
    ];
    unitsMayRepeatBetweenBackends = [
      (ask { kernel.a = component "cpu" [ "src/a.cpp" ]; kernel.b = component "cuda" [ "src/a.cpp" ]; })
      [ ]
    ];
    unitOfTwoComponents = [
      (ask {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
        kernel.b = component "cuda" [ "src/b.cu" ] // { cuda-capabilities = [ "9.0a" ]; };
        kernel.c = component "cuda" [ "./src/b.cu" ] // { cuda-capabilities = [ "10.0a" ]; };
      })
      [ ]
    ];
    fileForIncludes = [ (ask { kernel.a = component "cpu" [ "src/a.cpp" "src/notes.txt" ]; }) [ ] ];
    endingOfAnotherLanguage = [
      (ask { kernel.a = component "cpu" [ "src/a.cpp" "src/b.f90" ]; })
      [ "kernel.a.src[1]" ]
    ];
    endingOfAnotherBackend = [ (ask { kernel.a = component "cpu" [ "src/a.cpp" "src/b.cu" ]; }) [ "kernel.a.src[1]" ] ];
    # Every backend of the kernel compiles [torch].
    endingInTorch = [ (ask { torch.src = [ "src/a.cpp" "src/b.cu" ]; }) [ "torch.src[1]" ] ];
    headersOnly = [ (ask { torch.src = [ "src/a.h" ]; kernel.a = component "cpu" [ "src/a.h" ]; }) [ "torch.src" ] ];
    includeFolders = [
      (ask { torch = { src = [ "src/a.cpp" ]; include = [ "." "src" "include" ]; }; })
      [ "torch.include[2]" ]
    ];
    wrongBackendIsToldElsewhere = [
      (ask { kernel.a = component "vulkan" [ "src/a.spv" "src/a.cpp" ]; })
      [ "kernel.a.src[0]" ]
    ];
    # Nix cannot tell where a link leads, so paths through links are refused.
    links = [
      (ask {
        torch = { src = [ "src/a.cpp" "src/linked.cpp" ]; include = [ "linked" ]; };
        kernel.a = component "cpu" [ "linked/relu.cpp" "src/a.cpp" ];
      })
      [ "torch.src[1]" "torch.include[0]" "kernel.a.src[0]" ]
    ];
    linksAndTheWayOut = [
      (map (problem: "${problem.found}: ${problem.fix}") (
        sources.checkSources (withSections {
          framework = frameworks.all.torch;
          section = { src = [ "src/a.cpp" "src/linked.cpp" ]; include = [ "linked" ]; };
          components = { };
          general = { backends = [ "cpu" ]; python-name = "odd"; };
        })
      ))
      [
        "\"src/linked.cpp\", which is a symbolic link: put the file or folder itself there"
        "\"linked\", which is a symbolic link: put the file or folder itself there"
      ]
    ];
    noPackage = [
      (map (problem: problem.at) (
        sources.checkSources (withSections {
          framework = null;
          components = { };
          general = { backends = [ "cpu" ]; python-name = "even"; };
        })
      ))
      [ "torch-ext/even/__init__.py" ]
    ];
  };
  listSourceWarnings = {
    headersOnly = [ (warn { kernel.a = component "cpu" [ "src/a.h" ]; }) [ "kernel.a.src" ] ];
    unitTwiceInASection = [
      (warn { torch.src = [ "src/a.cpp" "./src/a.cpp" ]; kernel.a = component "cpu" [ "src/a.cpp" ]; })
      [ "torch.src[1]" ]
    ];
    unitOfTwoSections = [ (warn { torch.src = [ "src/a.cpp" ]; kernel.a = component "cpu" [ "src/a.cpp" ]; }) [ ] ];
    unitOfTwoSectionsWithOtherFlags = [
      (warn { torch.src = [ "src/a.cpp" ]; kernel.a = component "cpu" [ "src/a.cpp" ] // { cxx-flags = [ "-DA" ]; }; })
      [ "kernel.a.src[0]" ]
    ];
  };
}
