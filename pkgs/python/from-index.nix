# Python packages from a kernel's own pin file.
{ lib, pythonPackages, readWheels, system }:
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
  lib.messages.check.throwProblem "no package of ${baseNameOf pins} is pinned for ${system}" {
    at = toString pins;
    found = "nothing under pins.${system}";
    want = "wheels by version and hash";
    fix = "run `kernel-builder add-test-package NAME` on such a machine; for a file of another name, write \"pins\": { \"${system}\": {} } and run `tools/bin/lock-pins ${baseNameOf pins}`";
  }
else
  packages
