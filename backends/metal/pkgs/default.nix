# Compiling for Apple GPUs: units that embed shaders get the shaders as a header.
{
  compileObject,
  metalEmbedLibrary,
  metalEmbedSource,
}:
let
  # All shaders of a variant have the same compiler.
  embed =
    prepared:
    if (builtins.head prepared.embedded).unit.compiler == "metal" then
      metalEmbedLibrary prepared
    else
      metalEmbedSource prepared;
in
{
  compile =
    { unit, prepared }:
    if unit.isEmbedded then
      # Shaders are linked into the units that embed them, and not into the extension.
      [ ]
    else
      compileObject {
        inherit unit;
        prepared =
          prepared
          // (
            if unit.embeds == [ ] then
              { }
            else
              {
                files = "${prepared.files}\n${embed prepared} ${prepared.generatedFolder}/metallib.h";
              }
          );
      };
}
