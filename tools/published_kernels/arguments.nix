# The arguments that a kernel's own flake calls kernel-builder with.
{ project, kernel }:
let
  inherit (builtins) functionArgs intersectAttrs pathExists;

  inputs = {
    self = { };
    kernel-builder.lib = project.lib // {
      genKernelFlakeOutputs = args: args;
      genFlakeOutputs = args: args;
    };
  };
in
if pathExists (kernel + "/flake.nix") then
  let
    inherit (import (kernel + "/flake.nix")) outputs;
    named = functionArgs outputs;
  in
  outputs (if named == { } then inputs else intersectAttrs named inputs)
else
  {
    self = { };
    path = kernel;
  }
