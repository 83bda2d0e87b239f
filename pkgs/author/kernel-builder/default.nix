# The command line as a program, for shells: `bin/kernel-builder` and nothing else, so that
# its Python and packages do not mix with those of a kernel.
{
  lib,
  runStep,
  pythonWith,
}:
let
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
      builtins.elem (builtins.head (builtins.split "/" below)) parts
      && !builtins.elem (lib.paths.base path) caches;
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
in
runStep {
  name = "kernel-builder";
  script = ./program.sh;
  env.environment = pythonWith {
    name = "kernel-builder-python";
    packages = [
      module
      "click"
      "huggingface-hub"
      "jinja2"
      "packaging"
      "rich"
      "tomli"
      "tomlkit"
    ];
  };
}
// {
  inherit repository;
}
