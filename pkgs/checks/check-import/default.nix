# Imports a built variant in the sandbox, with the public `kernels` client, as its users do.
{
  pythonWith,
  runPython,
}:
/**
  # Type

  ```
  checkImport :: { name :: String; backend :: String; torch :: Package; pythonDepends :: [String]; } -> Derivation -> Derivation
  ```
*/
{
  name,
  backend,
  torch,
  pythonDepends,
}:
variant:
runPython {
  name = "${name}-get-kernel-check";
  script = ./check.py;
  interpreter = pythonWith {
    name = "${name}-get-kernel-check-python";
    packages = [
      torch
      "kernels"
      "numpy"
    ]
    ++ pythonDepends;
  };
  env = { inherit variant backend; };
}
