# A build step whose script is a Python file. `runStep` is the same for shell.
{ busybox, makeStep, python }:
/**
  Return the derivation that runs the Python file `script`. `interpreter` is an environment of `pythonWith` or
  `targetPythonWith`, with its bytecode if it has any (`withBytecode`), or Python without packages.

  Type: runPython :: { name :: String; script :: Path; interpreter :: Package; tools :: [Package]; env :: AttrSet;
    outputs :: [String]; } -> Derivation
*/
{ name, script, interpreter ? python, tools ? [ ], env ? { }, outputs ? [ "out" ] }:
makeStep {
  inherit name outputs;
  env = env // { PYTHONUTF8 = "1"; }
  // (if interpreter ? bytecode then { PYTHONPYCACHEPREFIX = interpreter.bytecode; } else { });
  # An interpreter for another processor runs in the emulator.
  builder = interpreter.emulator or "${interpreter}/bin/python3";
  arguments = (if interpreter ? emulator then [ "${interpreter}/bin/python3" ] else [ ]) ++ [
    "-B"
    script
  ];
  # Nix starts the interpreter by its bare name, so Python finds its library through PATH.
  tools = [ interpreter ] ++ tools ++ [ busybox ];
}
