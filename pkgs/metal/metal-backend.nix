# How kernels for Apple GPUs are built: a unit that asks for the shaders has them as a header.
{
  compileObject,
  embedLibrary,
  linkExtension,
}:
{
  toolkitPackages = _: { };
  compile =
    { unit, prepared }:
    if unit.isEmbedded then
      # It is in the units that embed it.
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
                files = "${prepared.files}\n${embedLibrary prepared} ${prepared.generatedFolder}/metallib.h";
              }
          );
      };
  link = linkExtension;
  shell = _: {
    tools = [ ];
    variables = { };
  };
}
