# An interpreter with packages: `pythonWith { name = "…"; packages = [ … ]; }`.
#
# It has the layout of a virtual environment, a link to the interpreter beside a `pyvenv.cfg`, so it needs neither a
# wrapper nor PYTHONPATH.
{ lib, python, pythonPackages, refuse, runPython }:
/**
  Return an environment with `packages` and their dependencies. A package is a name of `pythonPackages`, or a
  derivation with the same layout. `without` are names of dependencies that the user of the environment never imports.

  Type: pythonWith :: { name :: String; packages :: [String | Package]; without :: [String] ? [ ]; } -> Derivation
*/
{ name, packages, without ? [ ] }:
let
  known = builtins.attrNames pythonPackages;
  named =
    project:
    let
      near = lib.messages.spelling.findClosestWord { candidates = known; } project;
    in
    pythonPackages.${project}
      or ((refuse ./problems.json).unpinned {
        inherit name project;
        count = builtins.length known;
        advice =
          if near == null then "correct the name" else "did you mean ${builtins.toJSON near}? If not, correct it";
      });
  node =
    given:
    let
      package = if builtins.isString given then named given else given;
    in
    { key = package.outPath; inherit package; };
  closure = builtins.genericClosure {
    startSet = map node packages;
    operator =
      { package, ... }:
      map node (builtins.filter (one: !builtins.elem one without) package.depends);
  };
in
runPython {
  inherit name;
  script = ./link.py;
  env = {
    inherit python;
    inherit (python) pythonVersion sitePackages;
    packages = map (entry: entry.package) closure;
  };
}
