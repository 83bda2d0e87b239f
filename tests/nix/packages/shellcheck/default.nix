# Debian's shellcheck. It has the layout of a Python package, so that `pythonWith` can put it beside the linters that are
# wheels.
{
  runStep,
  unpackDebs,
  runtime,
  patchelf,
  architecture,
}:
runStep {
  name = "shellcheck";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit runtime;
    inherit (architecture) triple;
    loader_path = runtime.loader;
    tree = unpackDebs {
      name = "shellcheck-debs";
      packages = [
        "libffi8"
        "shellcheck"
      ];
    };
  };
}
// {
  depends = [ ];
}
