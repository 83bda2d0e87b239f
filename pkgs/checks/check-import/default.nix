# Imports a built variant in the sandbox, with the public `kernels` client, as its users do.
#
# What only a driver brings is not there. Packages whose libraries the variant is linked with
# have stubs of it in `lib/stubs`, which stand in for it.
{
  pythonWith,
  runPython,
}:
/**
  # Type

  ```
  checkImport :: {
    name, backend :: String; torch :: Package; pythonDepends :: [String | Package]; packages :: [Package];
  } -> Derivation -> Derivation
  ```
*/
{
  name,
  backend,
  torch,
  pythonDepends,
  packages,
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
  env = { inherit variant backend packages; };
}
