# The Pythons beside `python`, by version. Each is what a variant's package set has in place of its own packages if its
# Torch has no wheel for `python`.
{
  fetchWheel,
  lib,
  newerPython,
  patchelf,
  relocate,
  runPython,
  runStep,
  system,
}:
let
  sameFor =
    { python, pins }:
    let
      pythonPackage = import ./python-package.nix {
        inherit fetchWheel;
        unpackWheel = import ./unpack-wheel {
          inherit
            lib
            patchelf
            python
            relocate
            runStep
            ;
          inherit (python) runtime;
        };
      };
      pythonPackages = import ./python-packages/read-wheels.nix { inherit pythonPackage system; } pins;
    in
    {
      inherit pythonPackages;
      targetPython = python;
      targetPythonWith = import ./python-with {
        inherit
          lib
          python
          pythonPackages
          runPython
          ;
      };
      fromIndex = import ./from-index.nix {
        inherit
          lib
          pythonPackage
          pythonPackages
          system
          ;
      };
      lockedWheels = import ../torch/locked-wheels.nix { inherit pythonPackage system; };
    };
in
# Debian has no package for macOS, where each Torch has a wheel for `python`.
if lib.platforms.systems.isDarwin system then
  { }
else
  {
    ${newerPython.pythonVersion} = sameFor {
      python = newerPython;
      pins = ./python-packages/newer/pins.json;
    };
  }
