# Checks that the Python code of a variant registers operators only under its own namespace.
{
  lib,
  runCheck,
}:
/**
  # Type

  ```
  checkRegistration :: { name :: String; pythonName :: String; } -> Derivation -> Derivation
  ```
*/
{ name, pythonName }:
runCheck {
  name = lib.storeName.sanitize "${name}-registration-check";
  package = ./registration_check;
  arguments = [
    "--shown-as"
    "torch-ext/${pythonName}"
  ];
}
