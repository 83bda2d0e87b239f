# Python packages that are not in this set, out of a kernel's own file of pins.
{
  lib,
  system,
  pythonPackage,
  pythonPackages,
}:
/**
  The packages that `pins` holds, by name. The file has the form of
  pkgs/python/python-packages/pins.json, and `python/bin/lock-pins FILE` fills it from the list
  `want` in it. What such a package needs comes out of the same file, or out of this set where
  the set has it.

  # Example

  ```nix
  pythonCheckInputs = pkgs: [ (pkgs.fromIndex { pins = ./test-pins.json; }).scipy ];
  ```

  # Type

  ```
  fromIndex :: { pins :: Path; } -> { ${project} :: Package; }
  ```
*/
{ pins }:
let
  content = builtins.fromJSON (builtins.readFile pins);
  packages = builtins.mapAttrs (
    project: pin:
    pythonPackage {
      inherit project pin;
      # What this set has is taken from it: two versions of one package cannot be in one environment.
      depends = map (name: if pythonPackages ? ${name} then name else packages.${name}) pin.depends;
    }
  ) (content.pins.${system} or { });
in
if packages == { } then
  lib.messages.check.throwProblem "no package of ${baseNameOf pins} is pinned for ${system}" {
    at = toString pins;
    found = "nothing under pins.${system}";
    want = "wheels by version and hash";
    fix = "write \"pins\": { \"${system}\": {} } and run `python/bin/lock-pins ${baseNameOf pins}`";
  }
else
  packages
