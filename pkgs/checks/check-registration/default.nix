# Checks that the Python code of a variant registers operators only in its own namespace.
{
  lib,
  runCheck,
}:
/**
  # Type

  ```
  checkRegistration :: { name :: String; pythonFolder :: String; } -> Derivation -> Derivation
  ```
*/
{ name, pythonFolder }:
runCheck {
  name = lib.values.storeName.sanitize "${name}-registration-check";
  package = ./registration_check;
  arguments = [
    "--shown-as"
    pythonFolder
  ];
}
