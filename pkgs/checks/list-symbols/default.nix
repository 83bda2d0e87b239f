# The dynamic symbols that libraries define, one file for each library, one symbol with its version on each line
# (`memcpy@GLIBC_2.14`). All checks of kernels share the list of a Torch.
{
  runPython,
  toolchain,
}:
/**
  `libraries` are files, or folders with libraries at any depth.

  # Type

  ```
  listSymbols :: { name :: String; libraries :: [String]; } -> Derivation
  ```
*/
{ name, libraries }:
runPython {
  name = "${name}-symbols";
  script = ./list.py;
  tools = [ toolchain ];
  env = { inherit libraries; };
}
