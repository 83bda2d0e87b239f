# The command line as a program, for shells: `bin/kernel-builder` and nothing else, so that
# its Python and packages do not mix with those of a kernel.
{
  lib,
  runStep,
  pythonWith,
  withBytecode,
}:
let
  inherit (builtins) elem filter replaceStrings;

  # What the command line reads of this repository: kernels without a flake are evaluated
  # with it, and checks are run out of it.
  parts = [
    "default.nix"
    "flake.nix"
    "lib"
    "overlays"
    "pkgs"
    "python"
  ];
  # What Python and its checkers leave behind in a checkout.
  caches = [
    "__pycache__"
    ".mypy_cache"
    ".ruff_cache"
  ];
  start = builtins.stringLength (toString ../../..) + 1;
  repository = builtins.path {
    name = "kernel-builder-source";
    path = ../../..;
    filter =
      path: _:
      let
        below = builtins.substring start (builtins.stringLength path) path;
      in
      elem (builtins.head (builtins.split "/" below)) parts
      && !elem (baseNameOf path) caches;
  };
  module =
    runStep {
      name = "kernel-builder-module";
      script = ./module.sh;
      env = { inherit repository; };
    }
    // {
      depends = [ ];
    };
  # Modules to compile beforehand. Templates are no modules.
  files = filter (
    file:
    lib.values.paths.ending file == "py"
    && builtins.match "kernel_builder/templates/.*" file == null
  ) (lib.values.paths.filesBelow ../../../python/src "kernel_builder");
  environment = withBytecode {
    environment = pythonWith {
      name = "kernel-builder-python";
      packages = [
        module
        "click"
        "griffe"
        "huggingface-hub"
        "jinja2"
        "packaging"
        "pyelftools"
        "rich"
        "sigstore"
        "tomli"
        "tomlkit"
      ];
    };
    # click loads the last for a text of help only.
    modules = map (replaceStrings [ ".py" "/" ] [ "" "." ]) files ++ [ "click._textwrap" ];
  };
in
runStep {
  name = "kernel-builder";
  script = ./program.sh;
  env = {
    inherit environment;
    inherit (environment) bytecode;
  };
}
// {
  inherit repository;
}
