# The dynamic symbols that libraries define: one file a library, one symbol a line, with its
# version (`memcpy@GLIBC_2.14`). Made once for a Torch, read by every check of a kernel.
{
  runPython,
  toolchain,
}:
/**
  `libraries` are files, or folders in which they lie at any depth.

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
