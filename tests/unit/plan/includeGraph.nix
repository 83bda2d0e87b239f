{ config, plan, ... }:
let
  inherit (config) buildToml;
  inherit (plan) includeGraph;
  five = ../../golden/five;
  graph = includeGraph.makeFileGraph {
    root = five;
    folders = [ "include" ];
    start = [
      "five_cpu/five.cpp"
      "five_cpu/plain.c"
      "torch-ext/torch_binding.cpp"
    ];
  };
  whole = includeGraph.makeKernelGraph {
    root = five;
    config = buildToml.readConfig { root = five; };
  };
in
{
  makeFileGraph = {
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
  selectFolders = {
    itsOwnFolders = {
      expr = (includeGraph.selectFolders [ "include" ] graph)."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    noOther = {
      expr = (includeGraph.selectFolders [ ] graph)."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
        "shared.h"
      ];
    };
    relativeToTheFile = {
      expr = (includeGraph.selectFolders [ ] graph)."torch-ext/torch_binding.cpp".direct;
      expected = [ "torch-ext/torch_binding.h" ];
    };
  };
  describeReachedFiles = {
    filesItselfFirst = {
      expr = (includeGraph.describeReachedFiles graph "torch-ext/torch_binding.cpp").files;
      expected = [
        "torch-ext/torch_binding.cpp"
        "torch-ext/torch_binding.h"
      ];
    };
    foreignOfAll = {
      expr = (includeGraph.describeReachedFiles graph "torch-ext/torch_binding.cpp").foreign;
      expected = [
        "torch/library.h"
        "registration.h"
        "cstdint"
      ];
    };
    useOfTheName = {
      expr = (includeGraph.describeReachedFiles graph "torch-ext/torch_binding.cpp").needsName;
      expected = false;
    };
  };
  makeKernelGraph = {
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
