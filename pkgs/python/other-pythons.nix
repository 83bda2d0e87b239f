# `otherPythons`: The Pythons besides `python`, by version. Each value has the packages that replace those of a
# variant's package set if the variant's Torch has no wheel for `python`.
{ callPackage, lib, newerPython, system }:
let
  packagesFor =
    { python, pins }:
    let
      unpackWheel = callPackage ./unpack-wheel { inherit python; inherit (python) runtime; };
      readWheels = callPackage ./read-wheels.nix { inherit unpackWheel; };
      pythonPackages = readWheels { file = pins; dependsOf = pin: pin.depends; };
    in
    {
      inherit pythonPackages readWheels;
      targetPython = python;
      targetPythonWith = callPackage ./python-with { inherit python pythonPackages; };
      fromIndex = callPackage ./from-index { inherit pythonPackages readWheels; };
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
