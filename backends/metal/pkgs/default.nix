# Compiling for Apple GPUs: units that embed shaders get the shaders as a header.
{ lib, compileObject, metalEmbedLibrary }:
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
          // lib.values.attributes.optionalAttrs (unit.embeds != [ ]) {
            files = "${prepared.files}\n${metalEmbedLibrary prepared} ${prepared.generatedFolder}/metallib.h";
          };
      };
}
