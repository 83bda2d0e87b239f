# Checks the Python code of a variant: it registers operators only in its own namespace, the oldest Python can read it,
# and its imports can work, also those in functions.
{ lib, runCheck }:
/**
  `modules` are those that its users have, and `sources` the C++ files that may define
  operators. The result has `calls.json`: the operators that nothing seems to define, with the lines of their calls.

  Type: checkRegistration :: { name, pythonFolder :: String; modules :: [String]; sources :: [StorePath]; }
    -> Derivation -> Derivation
*/
{ name, pythonFolder, modules, sources }:
runCheck {
  name = lib.values.storeName.sanitize "${name}-registration-check";
  package = ./registration_check;
  arguments = [
    "--shown-as"
    pythonFolder
    "--declared"
    (builtins.toJSON modules)
  ]
  ++ map (source: "--source=${source}") sources;
}
