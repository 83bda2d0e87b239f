{ config, plan, ... }:
let
  inherit (config) buildToml;
  inherit (plan) includeGraph;
  five = ../../golden/five;
  graph = includeGraph.ofFiles {
    root = five;
    folders = [ "include" ];
    start = [
      "five_cpu/five.cpp"
      "five_cpu/plain.c"
      "torch-ext/torch_binding.cpp"
    ];
  };
  whole = includeGraph.ofKernel {
    root = five;
    config = buildToml.readConfig { root = five; };
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
      expr = (includeGraph.within [ "include" ] graph)."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    noOther = {
      expr = (includeGraph.within [ ] graph)."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
        "shared.h"
      ];
    };
    relativeToTheFile = {
      expr = (includeGraph.within [ ] graph)."torch-ext/torch_binding.cpp".direct;
      expected = [ "torch-ext/torch_binding.h" ];
    };
  };
  reach = {
    filesItselfFirst = {
      expr = (includeGraph.reach graph "torch-ext/torch_binding.cpp").files;
      expected = [
        "torch-ext/torch_binding.cpp"
        "torch-ext/torch_binding.h"
      ];
    };
    foreignOfAll = {
      expr = (includeGraph.reach graph "torch-ext/torch_binding.cpp").foreign;
      expected = [
        "torch/library.h"
        "registration.h"
        "cstdint"
      ];
    };
    useOfTheName = {
      expr = (includeGraph.reach graph "torch-ext/torch_binding.cpp").extensionName;
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
