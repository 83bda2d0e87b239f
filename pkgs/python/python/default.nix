# `python`: The Python of builders and checks. `newerPython` is the other one.
{ callPackage }: callPackage ./relocatable.nix { pythonVersion = "3.11"; }
