{ config, ... }@library:
let
  five = ../../golden/five;
  graph = library.graph.ofFiles {
    root = five;
    folders = [ "include" ];
    start = [
      "five_cpu/five.cpp"
      "five_cpu/plain.c"
      "torch-ext/torch_binding.cpp"
    ];
  };
  whole = library.graph.ofKernel {
    root = five;
    config = config.readConfig { root = five; };
  };
in
{
  ofFiles = {
    throughIncludeFolder = {
      expr = graph."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    relativeToTheFile = {
      expr = builtins.elem "include/shared.h" graph."five_cpu/plain.c".direct;
      expected = true;
    };
    foreignNames = {
      expr = graph."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
      ];
    };
  };
  within = {
    itsOwnFolders = {
      expr = (library.graph.within [ "include" ] graph)."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    noOther = {
      expr = (library.graph.within [ ] graph)."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
        "shared.h"
      ];
    };
    relativeToTheFile = {
      expr = (library.graph.within [ ] graph)."torch-ext/torch_binding.cpp".direct;
      expected = [ "torch-ext/torch_binding.h" ];
    };
  };
  reach = {
    filesItselfFirst = {
      expr = (library.graph.reach graph "torch-ext/torch_binding.cpp").files;
      expected = [
        "torch-ext/torch_binding.cpp"
        "torch-ext/torch_binding.h"
      ];
    };
    foreignOfAll = {
      expr = (library.graph.reach graph "torch-ext/torch_binding.cpp").foreign;
      expected = [
        "torch/library.h"
        "registration.h"
        "cstdint"
      ];
    };
    useOfTheName = {
      expr = (library.graph.reach graph "torch-ext/torch_binding.cpp").extensionName;
      expected = "late";
    };
  };
  ofKernel = {
    headersThatAreIncluded = {
      expr = whole ? "include/shared.h";
      expected = true;
    };
    filesOfEveryBackend = {
      expr = map (file: whole ? ${file}) [
        "five_cuda/five.cu"
        "five_metal/five.metal"
        "five_xpu/five.cpp"
      ];
      expected = [
        true
        true
        true
      ];
    };
    nothingThatNobodyNames = {
      expr = whole ? "torch-ext/five/__init__.py";
      expected = false;
    };
  };
}
