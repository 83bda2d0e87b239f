# One build step whose script is Python: the counterpart of `runStep`.
{
  system,
  lib,
  busybox,
  python,
}:
let
  # A file beside a builder goes into the store by itself, not with all that is around it.
  alone = value: if builtins.isPath value then lib.paths.alone value else value;
in
/**
  Run the Python file `script` and return the derivation. `interpreter` is an environment
  made by `pythonWith`, or the bare Python.

  # Type

  ```
  runPython :: { name :: String; script :: Path; interpreter :: Package; tools :: [Package]; env :: AttrSet; outputs :: [String]; } -> Derivation
  ```
*/
{
  name,
  script,
  interpreter ? python,
  tools ? [ ],
  env ? { },
  outputs ? [ "out" ],
}:
derivation (
  builtins.mapAttrs (_: alone) env
  // {
    inherit name system outputs;
    builder = "${interpreter}/bin/python3";
    args = [
      "-B"
      (alone script)
    ];
    # Python finds its own library by way of PATH: Nix starts it without its folder.
    PATH = builtins.concatStringsSep ":" (
      map (tool: "${tool}/bin") (
        [ interpreter ]
        ++ tools
        ++ [ busybox ]
      )
    );
    SOURCE_DATE_EPOCH = "1";
    LC_ALL = "C";
    PYTHONUTF8 = "1";
  }
)
