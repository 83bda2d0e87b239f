# `otherPythons`: The Pythons besides `python`, by version. Each value has the packages that replace those of a
# variant's package set if the variant's Torch has no wheel for `python`.
{ callPackage, lib, newerPython, system }:
let
  unpackWheel = callPackage ./unpack-wheel { python = newerPython; inherit (newerPython) runtime; };
  readWheels = callPackage ./read-wheels.nix { inherit unpackWheel; };
  pythonPackages = readWheels { file = ./python-packages/newer/pins.json; dependsOf = pin: pin.depends; };
in
# Debian has no package for macOS, where each Torch has a wheel for `python`.
if lib.platforms.systems.isDarwin system then
  { }
else
  {
    ${newerPython.pythonVersion} = {
      inherit pythonPackages readWheels;
      targetPython = newerPython;
      targetPythonWith = callPackage ./python-with { python = newerPython; inherit pythonPackages; };
      fromIndex = callPackage ./from-index { inherit pythonPackages readWheels; };
    };
  }
