# `kernelBuilder`: The command line as a package with one program, `bin/kernel-builder`, so that its Python and packages
# do not mix with those of a kernel in a shell.
{ lib, python, runStep, pythonWith, withBytecode }:
let
  inherit (builtins) elem filter replaceStrings;

  # The files of this repository that the command line reads: it evaluates kernels without a flake with
  # them, and runs the checks.
  needed = [ "backends" "default.nix" "flake.nix" "lib" "overlays" "pkgs" "python" ];
  # Python and its checkers leave these in a checkout.
  caches = [ "__pycache__" ".mypy_cache" ".ruff_cache" ];
  root = ../../..;
  repository = builtins.path {
    name = "kernel-builder-source";
    path = root;
    filter =
      path: _:
      let
        name = baseNameOf path;
      in
      !elem name caches && (dirOf path != toString root || elem name needed);
  };
  module =
    runStep {
      name = "kernel-builder-module";
      script = ./module.sh;
      env = { inherit repository; inherit (python) sitePackages; };
    }
    // { depends = [ ]; };
  # Modules to compile in advance. Templates are not modules.
  files = filter (
    file:
    lib.values.paths.ending file == "py"
    && builtins.match "kernel_builder/templates/.*" file == null
  ) (lib.values.paths.filesBelow (root + "/python/src") "kernel_builder");
  environment = withBytecode {
    environment = pythonWith {
      name = "kernel-builder-python";
      packages = [
        module
        "click"
        "griffe"
        "huggingface-hub"
        "packaging"
        "sigstore"
        "tomli"
        "tomlkit"
      ];
    };
    # click loads its last module only to print help.
    modules = map (replaceStrings [ ".py" "/" ] [ "" "." ]) files ++ [ "click._textwrap" ];
  };
in
runStep {
  name = "kernel-builder";
  script = ./program.sh;
  env = { inherit environment; inherit (environment) bytecode; };
}
// { inherit repository; }
