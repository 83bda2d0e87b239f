# Python for an author: Torch and its company, pytest, and what the kernel asks for.
{
  pythonWith,
  shellSupport,
  torch,
}:
let
  isPython = package: builtins.isString package || package ? depends;
in
/**
  Of `inputs`, Python packages become part of the environment; of any other package the
  programs are wanted, and it is one of `tools`.

  # Type

  ```
  authorEnvironment :: { name :: String; packages :: [String | Package]; inputs :: [String | Package]; }
    -> { environment :: Package; tools :: [Package]; }
  ```
*/
{
  name,
  packages,
  inputs,
}:
{
  environment = pythonWith {
    inherit name;
    packages = [
      torch
      shellSupport
      "kernels"
      "numpy"
      "pytest"
      # What `kernels benchmark` prints its table with.
      "tabulate"
    ]
    ++ packages
    ++ builtins.filter isPython inputs;
  };
  tools = builtins.filter (input: !isPython input) inputs;
}
