{ sections, shape, ... }:
let
  list =
    root: file:
    sections.listSections { inherit root; config = shape.fillConfig file; };
  both = list ../kernels/odd {
    general.backends = [ "cpu" "cuda" "cann" ];
    torch = { src = [ "./src/../src/a.cpp" ]; include = [ "src/" ]; };
    kernel.b = {
      backend = "cuda"; depends = [ "cutlass_4_0" ]; src = [ "src/b.cu" ];
      include = [ "src" "./src" ]; cuda-flags = [ "-O2" ]; cuda-minver = "12.08";
      cuda-capabilities = [ "9.0a" ];
    };
  };
  ofTorch = builtins.elemAt both 0;
  ofCuda = builtins.elemAt both 1;
  namesFor =
    framework: backend:
    map (section: section.name) (sections.selectSections { inherit framework; sections = both; } backend);
in
{
  flagsKeys.ofAllBackends = [ sections.flagsKeys [ "cuda-flags" "cxx-flags" "hip-flags" "sycl-flags" ] ];
  listSections = {
    resolvesPaths = [
      (map (section: { inherit (section) src include; }) both)
      [ { src = [ "src/a.cpp" ]; include = [ "src" ]; } { src = [ "src/b.cu" ]; include = [ "src" ]; } ]
    ];
    keepsTheSpellingForMessages = [
      (map (entry: { inherit (entry) at written; }) ofTorch.entries.src)
      [ { at = "torch.src[0]"; written = "./src/../src/a.cpp"; } ]
    ];
    pathOutside = [
      ((builtins.head (list ../kernels/odd { general.backends = [ "cpu" ]; torch.src = [ "../a.cpp" ]; })).src)
      [ null ]
    ];
    sourceFolder = [
      (map (section: section.include) (
        list ../kernels/with-csrc {
          general.backends = [ "cpu" ];
          torch = { src = [ "csrc/a.cpp" ]; include = [ "." ]; };
          kernel.a = { backend = "cpu"; depends = [ ]; src = [ "csrc/a.cpp" ]; include = [ "./csrc" ]; };
        }
      ))
      [ [ "" "csrc" ] [ "csrc" ] ]
    ];
    ofAFramework = [
      { inherit (ofTorch) at backend backends depends minver name targets ; flags = ofTorch.flags.cuda-flags; }
      {
        at = "torch"; backend = null; backends = [ "cpu" "cuda" ]; depends = [ "torch" ];
        flags = [ ]; minver = null; name = "torch"; targets = null;
      }
    ];
    ofAComponent = [
      { inherit (ofCuda) at backend backends depends minver name targets ; flags = ofCuda.flags.cuda-flags; }
      {
        at = "kernel.b"; backend = "cuda"; backends = [ "cuda" ]; depends = [ "cutlass_4_0" ];
        flags = [ "-O2" ]; minver = "12.8"; name = "b"; targets = [ "9.0a" ];
      }
    ];
    # Without its backend, a component is compiled for none.
    unknownBackend = [
      (map (section: section.backends) (
        list ../kernels/odd { general.backends = [ "vulkan" ]; kernel.a.backend = "vulkan"; kernel.b = { }; }
      ))
      [ [ ] [ ] ]
    ];
  };
  selectSections = {
    withComponents = [ (map (namesFor { isCompiledAlone = false; }) [ "cpu" "cuda" ]) [ [ ] [ "torch" "b" ] ] ];
    alone = [ (namesFor { isCompiledAlone = true; } "cpu") [ "torch" ] ];
  };
}
