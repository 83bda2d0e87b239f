# `listedChecks`: the checks of `checks.json` whose packages lie in this folder. A build runs them, and `check-builds` runs
# all of the list, in its order.
#
# A row has a `name`; the `arguments` before the variant's folder, in which `@variant@` is the variant's name, `@compiled@`
# the option that says whether it has compiled code, which only a build knows, `@symbols@` the lists of symbols and
# `@argument@` what the command line gives the check; the `module` that runs, by default `<name>_check`; and the
# `package` in pkgs/checks with the module, whose default.nix has the arguments of a build.
{ commandLineFiles, fillIn, runCheck }:
let
  rows = builtins.filter (row: !row ? package) (builtins.fromJSON (builtins.readFile ./checks.json));
in
/**
  The checks of a variant, each a function from its folder.

  Type: listedChecks :: { name :: String; plan :: Plan; } -> [Derivation -> Derivation]
*/
{ name, plan }:
let
  values = {
    inherit (plan) variant;
    inherit (commandLineFiles) byName;
    compiled = if plan.compiled then "--compiled" else "--no-compiled";
  };
in
map (
  row:
  runCheck {
    name = "${name}-${row.name}-check";
    package = ./. + "/${row.name}_check";
    backends = [ plan.backend ];
    arguments = map (fillIn values) row.arguments;
  }
) rows
