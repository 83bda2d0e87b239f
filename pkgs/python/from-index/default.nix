# Python packages from a kernel's own pin file.
{ pythonPackages, readWheels, refuse, system }:
/**
  Return the packages of the file `pins`, by name. The file has the form of pkgs/python/python-packages/pins.json, and
  `tools/bin/lock-pins FILE` fills it from its list `want`. Dependencies come from this package set if it contains
  them, else from the same file.

  # Example

  ```nix
  pythonCheckInputs = pkgs: [ (pkgs.fromIndex { pins = ./test-pins.json; }).scipy ];
  ```

  Type: fromIndex :: { pins :: Path; } -> { ${project} :: Package; }
*/
{ pins }:
let
  packages = readWheels {
    file = pins;
    # An environment cannot have two versions of a package, so the package set's own come first.
    dependsOf = pin: map (name: if pythonPackages ? ${name} then name else packages.${name}) pin.depends;
  };
in
if packages == { } then
  (refuse ./problems.json).none { inherit system; file = toString pins; name = baseNameOf pins; }
else
  packages
