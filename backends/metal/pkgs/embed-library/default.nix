# A header with the library of all shaders of a variant. Each shader is compiled by itself.
{ compileObject, runStep, toolchain }:
/**
  `prepared` are the inputs of the unit that embeds the shaders.

  Type: metalEmbedLibrary :: UnitInputs -> Derivation
*/
prepared:
let
  shaders = builtins.concatMap compileObject prepared.embedded;
in
runStep {
  name = "${prepared.kernel}-metallib.h";
  script = ./embed.sh;
  tools = [ toolchain ];
  env = {
    step = "embed";
    shaders = map (shader: shader.value) shaders;
    functions = ./functions.h;
  };
}
