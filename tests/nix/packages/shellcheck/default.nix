# Debian's shellcheck, for the tests. It is laid out as `pythonWith` wants a package, so that
# it stands beside the linters that are wheels.
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
