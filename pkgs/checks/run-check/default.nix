# One check of a built variant, as a derivation that fails with what the check finds.
#
# A check is a Python package whose `__main__` reads its arguments: the command line runs the
# same packages, with the same interpreter, on any folder.
{
  runPython,
  checkPython,
}:
let
  source =
    path:
    builtins.path {
      name = baseNameOf path;
      inherit path;
      # Python may have left its bytecode there; it is no part of the check.
      filter = file: _: baseNameOf file != "__pycache__";
    };
in
/**
  Run the Python package at `package` on `variant`, after its further `arguments`; `interpreter` is an
  environment made by `pythonWith`.

  # Type

  ```
  runCheck :: { name :: String; package :: Path; arguments :: [String]; tools :: [Package]; interpreter :: Package; } -> Derivation -> Derivation
  ```
*/
{
  name,
  package,
  arguments,
  tools ? [ ],
  interpreter ? checkPython,
}:
variant:
runPython {
  inherit name tools interpreter;
  script = ./run.py;
  env = {
    checking = source ./checking;
    package = source package;
    arguments = builtins.toJSON (arguments ++ [ "${variant}" ]);
  };
}
