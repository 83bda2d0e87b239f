# Checks the Python code of a variant: it registers operators only in its own namespace, the oldest Python can read it,
# and its imports can work, also those in functions.
{ lib, runCheck }:
/**
  `modules` are those that the kernel's `python-depends` brings.

  Type: checkRegistration :: { name, pythonFolder :: String; modules :: [String]; } -> Derivation -> Derivation
*/
{ name, pythonFolder, modules }:
runCheck {
  name = lib.values.storeName.sanitize "${name}-registration-check";
  package = ./registration_check;
  arguments = [
    "--shown-as"
    pythonFolder
    "--declared"
    (builtins.toJSON modules)
  ];
}
