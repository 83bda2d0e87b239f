# An interpreter with packages: `pythonWith { name = "…"; packages = [ … ]; }`.
#
# It has the layout of a virtual environment, a link to the interpreter beside a `pyvenv.cfg`, so it needs neither a
# wrapper nor PYTHONPATH.
{ lib, python, pythonPackages, runPython }:
/**
  Return an environment with `packages` and their dependencies. A package is a name of `pythonPackages`, or a
  derivation with the same layout.

  Type: pythonWith :: { name :: String; packages :: [String | Package]; } -> Derivation
*/
{ name, packages }:
let
  known = builtins.attrNames pythonPackages;
  named =
    project:
    let
      near = lib.messages.spelling.findClosestWord { candidates = known; } project;
    in
    pythonPackages.${project}
      or (lib.messages.check.throwProblem "no Python package ${builtins.toJSON project} is pinned" {
        at = "packages of ${name}";
        found = builtins.toJSON project;
        want = "one of the ${toString (builtins.length known)} pinned packages";
        fix =
          (if near == null then "correct the name" else "did you mean ${builtins.toJSON near}? If not, correct it") + ", or pin it beside your flake.nix, see docs/troubleshooting/missing-package.md";
      });
  resolve = package: if builtins.isString package then named package else package;
  node = package: { key = package.outPath; inherit package; };
  closure = builtins.genericClosure {
    startSet = map (package: node (resolve package)) packages;
    operator = { package, ... }: map (one: node (resolve one)) package.depends;
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
