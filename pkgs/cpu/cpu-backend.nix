# How kernels for the processor are built: what the toolchain has is enough. What a backend is
# made of says docs/data.md.
{ compileObject, linkExtension }:
{
  toolkitPackages = _: { };
  compile = compileObject;
  link = linkExtension;
  shell = _: {
    tools = [ ];
    variables = { };
  };
}
