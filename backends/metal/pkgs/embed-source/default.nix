# A header with the shaders of a variant as one text, which is compiled when the kernel is loaded.
{ lib, runStep }:
let
  inherit (builtins) concatStringsSep head;
  inherit (lib.values.lists) unique;

  join = concatStringsSep "\n";
in
/**
  `prepared` are the inputs of the unit that embeds the shaders.

  Type: metalEmbedSource :: UnitInputs -> Derivation
*/
prepared:
let
  units = map (shader: shader.unit) prepared.embedded;
  inputs = map (shader: shader.prepared) prepared.embedded;
in
runStep {
  name = "${prepared.kernel}-metallib.h";
  script = ./embed.sh;
  inherit (head inputs) tools;
  env = {
    inherit (head units) compiler;
    inherit (head inputs) layOut;
    shaders = join (map (unit: unit.source) units);
    # Shaders differ in the packages that they see, and in the folders of their components.
    flags = join (unique (map (input: input.flags) inputs));
    files = join (map (input: input.files) inputs);
    passAsFile = [ "files" ];
    functions = ./functions.h;
  };
}
