# `otherPythons`: The Pythons besides `python`, by version. Each value has the packages that replace those of a
# variant's package set if the variant's Torch has no wheel for `python`.
{ fetchWheel, lib, newerPython, patchelf, relocate, runPython, runStep, system }:
let
  packagesFor =
    { python, pins }:
    let
      pythonPackage = import ./python-package.nix {
        inherit fetchWheel;
        unpackWheel = import ./unpack-wheel {
          inherit lib patchelf python relocate runStep;
          inherit (python) runtime;
        };
      };
      readWheels = import ./read-wheels.nix { inherit pythonPackage system; };
      pythonPackages = readWheels { file = pins; dependsOf = pin: pin.depends; };
    in
    {
      inherit pythonPackages readWheels;
      targetPython = python;
      targetPythonWith = import ./python-with { inherit lib python pythonPackages runPython; };
      fromIndex = import ./from-index.nix { inherit lib pythonPackages readWheels system; };
    };
in
# Debian has no package for macOS, where each Torch has a wheel for `python`.
if lib.platforms.systems.isDarwin system then
  { }
else
  {
    ${newerPython.pythonVersion} = packagesFor {
      python = newerPython;
      pins = ./python-packages/newer/pins.json;
    };
  }
