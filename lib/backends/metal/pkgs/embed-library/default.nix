# The shaders of a variant: each compiled by itself, linked to one library, and that as a header.
{
  compileObject,
  runStep,
  toolchain,
}:
/**
  `prepared` is what is prepared for the unit that embeds them.

  # Type

  ```
  metalEmbedLibrary :: UnitInputs -> Derivation
  ```
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
    shaders = map (shader: shader.value) shaders;
    functions = ./functions.h;
  };
}
