{ config, shape, sources, ... }@library:
let
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
    map (warning: warning.at) (sources.listSourceWarnings (withSections (fill file)).sections);
  component = backend: src: { inherit backend src; depends = [ ]; };
in
{
  # tests/eval-fail/tables/sources.nix has the wrong ones.
  checkSources = {
    right = [
      (map ask [
        { torch.src = [ "src/a.cpp" ]; kernel.a = component "cuda" [ "src/b.cu" ]; }
        # A header, or a unit of several components.
        { kernel.a = component "cpu" [ "src/a.cpp" "src/a.h" ]; kernel.b = component "cuda" [ "src/b.cu" "src/a.h" ]; }
        { kernel.a = component "cpu" [ "src/a.cpp" ]; kernel.b = component "cuda" [ "src/a.cpp" ]; }
        {
          torch.src = [ "src/a.cpp" ];
          kernel.a = component "cpu" [ "src/a.cpp" ];
          kernel.b = component "cuda" [ "src/b.cu" ] // { cuda-capabilities = [ "9.0a" ]; };
          kernel.c = component "cuda" [ "./src/b.cu" ] // { cuda-capabilities = [ "10.0a" ]; };
        }
        # A file for includes.
        { kernel.a = component "cpu" [ "src/a.cpp" "src/notes.txt" ]; }
      ])
      [ [ ] [ ] [ ] [ ] [ ] ]
    ];
    # Other spellings of a path mean the same file.
    spellings = [
      (map (file: ask { torch.src = [ file ]; } ++ warn { torch.src = [ file ]; }) [
        "src/a.cpp/"
        "src/a.cpp/."
        "./src//a.cpp"
        "src/../src/a.cpp/"
        "src/b.cu/."
      ])
      [ [ ] [ ] [ ] [ ] [ "torch.src[0]" ] ]
    ];
    # Every backend of the kernel compiles [torch].
    endingInTorch = [ (ask { torch.src = [ "src/a.cpp" "src/b.cu" ]; }) [ "torch.src[1]" ] ];
    wrongBackendIsToldElsewhere = [
      (ask { kernel.a = component "vulkan" [ "src/a.spv" "src/a.cpp" ]; })
      [ "kernel.a.src[0]" ]
    ];
  };
  listSourceWarnings = {
    # Sources of languages that no backend compiles are an error, and no files for includes.
    foreign = [
      (builtins.filter (ending: warn { kernel.a = component "cpu" [ "src/a.cpp" "src/a.${ending}" ]; } != [ ]) [
        "C" "CPP" "S" "asm" "c++" "cp" "cppm" "f" "f90" "ixx" "ptx" "py" "s"
      ])
      [ ]
    ];
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
