# `crossPython`: The Python that imports kernels for another processor.
{ callPackage, python, runEmulated }:
callPackage ../python/python/relocatable.nix { inherit (python) pythonVersion; runStep = runEmulated; }
