# One build step whose script is Python: the counterpart of `runStep`.
{
  busybox,
  makeStep,
  python,
}:
/**
  Run the Python file `script` and return the derivation. `interpreter` is an environment
  made by `pythonWith` or `targetPythonWith`, whose bytecode it gets (`withBytecode`), or the bare Python.

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
makeStep {
  inherit name outputs;
  env = env // {
    PYTHONUTF8 = "1";
  }
  // (if interpreter ? bytecode then { PYTHONPYCACHEPREFIX = interpreter.bytecode; } else { });
  # Of another processor, it does not run by itself.
  builder = interpreter.emulator or "${interpreter}/bin/python3";
  arguments = (if interpreter ? emulator then [ "${interpreter}/bin/python3" ] else [ ]) ++ [
    "-B"
    script
  ];
  # Python finds its own library by way of PATH: Nix starts it without its folder.
  tools = [ interpreter ] ++ tools ++ [ busybox ];
}
