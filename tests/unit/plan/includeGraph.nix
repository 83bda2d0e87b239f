{ config, includeGraph, ... }:
let
  inherit (config) buildToml;
  five = ../../golden/five;
  graph = includeGraph.makeFileGraph {
    root = five;
    folders = [ "include" ];
    start = [ "five_cpu/five.cpp" "five_cpu/plain.c" "torch-ext/torch_binding.cpp" ];
  };
  whole = includeGraph.makeKernelGraph { root = five; config = buildToml.readConfig { root = five; }; };
in
{
  makeFileGraph = {
    # `create-pyproject` writes a registration.h: a unit must stay the same object.
    generatedRegistration = [
      (let
        made = includeGraph.makeFileGraph {
          root = ../kernels/made;
          folders = [ "torch-ext" ];
          start = [ "torch-ext/binding.cpp" ];
        };
        reached = includeGraph.describeReachedFiles made "torch-ext/binding.cpp";
      in
      { inherit (reached) files foreign needsName; })
      { files = [ "torch-ext/binding.cpp" ]; foreign = [ "registration.h" ]; needsName = false; }
    ];
  };
  selectFolders = {
    itsOwnFolders = [
      (includeGraph.selectFolders [ "include" ] graph)."five_cpu/five.cpp".direct
      [ "include/shared.h" ]
    ];
    noOther = [
      (includeGraph.selectFolders [ ] graph)."five_cpu/five.cpp".foreign
      [ "ATen/Parallel.h" "omp.h" "shared.h" ]
    ];
  };
  describeReachedFiles = {
    filesItselfFirst = [
      (includeGraph.describeReachedFiles graph "torch-ext/torch_binding.cpp").files
      [ "torch-ext/torch_binding.cpp" "torch-ext/torch_binding.h" ]
    ];
  };
  listAbsentFiles = {
    besideTheFileAndInIncludeFolders = [
      (
        let
          of = include: includeGraph.listAbsentFiles {
            config.sections = [ { inherit include; } ];
            graph = { inherit (graph) "torch-ext/torch_binding.cpp"; };
          };
        in
        [ (of [ ]) (of [ "include" ]) ]
      )
      [
        [ "torch-ext/registration.h" ]
        [ "include/torch/library.h" "torch-ext/registration.h" "include/registration.h" ]
      ]
    ];
    outside = [
      (includeGraph.listAbsentFiles {
        config.sections = [ ];
        graph."a.h".resolved = map (name: { inherit name; quoted = true; candidates = [ ]; }) [ "../b.h" "c.h" ];
      })
      [ "c.h" ]
    ];
  };
  makeKernelGraph = {
    filesOfEveryBackend = [
      (map (file: whole ? ${file}) [ "five_cuda/five.cu" "five_metal/five.metal" "five_xpu/five.cpp" ])
      [ true true true ]
    ];
  };
}
