# The dynamic symbols that libraries define, one file for each library under the name by which the loader knows it, one
# symbol with its version on each line (`memcpy@GLIBC_2.14`). Lines such as `NEEDED libm.so.6` name the libraries that it
# is loaded with. All checks of kernels share the list of a Torch.
{ runStep, toolchain }:
/**
  `libraries` are files, or folders with libraries at any depth.

  Type: listSymbols :: { name :: String; libraries :: [String]; } -> Derivation
*/
{ name, libraries }:
runStep {
  name = "${name}-symbols";
  script = ./list.sh;
  tools = [ toolchain ];
  env = { inherit libraries; };
}
