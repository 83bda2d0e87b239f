{ config, ... }:
let
  inherit (config) buildToml sourceLists;
  sections = sourceLists.listSourceSections (buildToml.readConfig { root = ../kernels/relu; });
  component = builtins.elemAt sections 1;
in
{
  sourceKeys.flagsAreAmongThem = {
    expr = builtins.filter (key: !builtins.elem key sourceLists.sourceKeys) [
      "cxx-flags"
      "cuda-flags"
    ];
    expected = [ ];
  };
  listSourceSections.theFrameworkFirst = {
    expr = map (section: [
      section.at
      section.isBinding
    ]) sections;
    expected = [
      [
        "torch"
        true
      ]
      [
        "kernel.relu_cpu"
        false
      ]
      [
        "kernel.relu_cuda"
        false
      ]
    ];
  };
  listSourceEntries.withTheirPlaces = {
    expr = map (entry: entry.at) (sourceLists.listSourceEntries component);
    expected = [
      "kernel.relu_cpu.src[0]"
      "kernel.relu_cpu.src[1]"
    ];
  };
  listFolderEntries.withTheirPlaces = {
    expr = map (entry: entry.at) (sourceLists.listFolderEntries (component // { include = [ "a" ]; }));
    expected = [ "kernel.relu_cpu.include[0]" ];
  };
  hasUnit.headersAreNone = {
    expr = map (src: sourceLists.hasUnit (component // { inherit src; })) [
      [ "a.h" ]
      [
        "a.h"
        "a.cpp"
      ]
    ];
    expected = [
      false
      true
    ];
  };
}
