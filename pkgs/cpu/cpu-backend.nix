# How kernels for the processor are built: what the toolchain has is enough. What a backend is
# made of says docs/data.md.
{ compileObject }:
{
  toolkitPackages = _: { };
  compile = compileObject;
  shell = _: {
    tools = [ ];
    variables = { };
  };
}
