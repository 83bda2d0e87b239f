{ config, scan, ... }:
let
  root = ../../golden/five;
  graph = scan.scanKernel {
    inherit root;
    config = config.readConfig { inherit root; };
  };
in
{
  scanKernel = {
    headersThatAreIncluded = {
      expr = graph ? "include/shared.h";
      expected = true;
    };
    filesOfEveryBackend = {
      expr = map (file: graph ? ${file}) [
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
      expr = graph ? "torch-ext/five/__init__.py";
      expected = false;
    };
  };
}
