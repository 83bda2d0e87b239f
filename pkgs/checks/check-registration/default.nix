# Checks the Python code of a variant: it registers operators only in its own namespace, the oldest Python can read it
# and has the names that it takes from Python, and its imports can work, also those in functions.
{ lib, runCheck }:
/**
  `modules` are those that its users have, and `sources` the C++ files that may define operators, by their names. The
  result has `calls.json`: the operators that nothing seems to define, with the lines of their calls; and
  `schemas.json`: the strings of C++ that may be schemas, each with its file and line.

  Type: checkRegistration :: { name, pythonFolder :: String; modules :: [String]; sources :: { ${name} :: StorePath; }; }
    -> Derivation -> Derivation
*/
{ name, pythonFolder, modules, sources }:
runCheck {
  name = "${name}-registration-check";
  package = ./registration_check;
  arguments = [
    "--shown-as"
    pythonFolder
    "--declared"
    (builtins.toJSON modules)
    "--assumed"
    (builtins.toJSON lib.config.dependencies.assumed)
    "--allowed"
    (builtins.toJSON (
      builtins.filter (name: name != null) (
        map (each: each.import) (builtins.attrValues lib.config.dependencies.table.python-depends)
      )
    ))
    "--sources"
    (builtins.toJSON (builtins.mapAttrs (_: toString) sources))
  ];
}
