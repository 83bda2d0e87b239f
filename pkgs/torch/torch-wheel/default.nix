# Torch from its wheel: `dev` has the headers, which a compile waits for, and the package itself the libraries and modules.
{
  lib,
  system,
  fetchVendor,
  fetchWheel,
  lockedBeside,
  otherPythons,
  pythonPackages,
  refuse,
  runStep,
  targetPython,
  torchPins,
  wheelPython,
}:
/**
  `build` is Torch's name of the build, release and compute platform: `"2.13.0+cpu"`.

  Type: torchWheel :: String -> Package

  # Errors

  No wheel of that build is pinned for this system.
*/
build:
let
  pin =
    torchPins.${build}.${system}
      or ((refuse ./problems.json).unpinned {
        inherit build system;
        pinned = lib.messages.check.listChoices (
          builtins.filter (name: torchPins.${name} ? ${system}) (builtins.attrNames torchPins)
        );
      });
  pythonSet =
    otherPythons.${toString (wheelPython build)} or { inherit pythonPackages targetPython; };
  inherit (pythonSet.targetPython) sitePackages;
  name = "torch-${builtins.replaceStrings [ "+" ] [ "-" ] build}";
  # Nix starts steps in the order of their names, and the compiler and this one hold up all compiles.
  dev = runStep {
    name = "headers-of-${name}-wheel";
    script = ./unpack-headers.sh;
    env = { inherit source; };
  };
  torch = runStep {
    inherit name;
    script = ./unpack.sh;
    env = { inherit sitePackages source; headers = dev; };
  };
  # Libraries that a build for a GPU loads, in the versions that it requires: the wheels of its lock that are not in
  # the package set.
  companions = removeAttrs (lockedBeside { inherit build; locks = ./locks; }) ([ "torch" ] ++ builtins.attrNames pythonSet.pythonPackages);
  modules = [ "filelock" "fsspec" "jinja2" "networkx" "setuptools" "sympy" "typing-extensions" ];
  source =
    # The pin of a wheel that a kernel's flake names has `path`, or `url` and `hash`. No index has such a wheel.
    if pin ? path then
      lib.values.paths.alone pin.path
    else if pin ? hash then
      fetchVendor { name = pin.file; inherit (pin) url; sha256 = pin.hash; }
    else
      fetchWheel ({ project = "torch"; } // removeAttrs pin [ "registry" ]);
in
torch
// {
  inherit companions dev modules sitePackages source;
  depends = builtins.attrValues companions ++ modules;
}
