# The Python environment of shells and tests: Torch, pytest, and the packages that the kernel asks for.
{ shellSupport, targetPythonWith, torch }:
let
  isPython = package: builtins.isString package || package ? depends;
in
/**
  Python packages of `inputs` become part of the environment. Other packages of `inputs` become `tools`, whose
  programs are added to PATH.

  Type: authorEnvironment :: { name :: String; packages :: [String | Package]; inputs :: [String | Package]; } -> {
    environment :: Package; tools :: [Package]; }
*/
{ name, packages, inputs }:
{
  environment = targetPythonWith {
    inherit name;
    packages = [
      torch
      shellSupport
      "kernels"
      "numpy"
      "pytest"
      # `kernels benchmark` prints its table with this package.
      "tabulate"
    ]
    ++ packages
    ++ builtins.filter isPython inputs;
  };
  tools = builtins.filter (input: !isPython input) inputs;
}
