# Compiling for Apple GPUs: units that embed shaders get the shaders as a header.
{ compileObject, metalEmbedLibrary }:
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
                files = "${prepared.files}\n${metalEmbedLibrary prepared} ${prepared.generatedFolder}/metallib.h";
              }
          );
      };
}
