# One command of the command line as a separate program, for `nix run .#NAME`.
{ runStep, busybox, kernelBuilder }:
/** Type: kernelTool :: String -> Derivation */
command:
runStep {
  name = command;
  script = ./install.sh;
  env = { inherit busybox command kernelBuilder; };
}
// { meta.mainProgram = command; }
