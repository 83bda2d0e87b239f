# The tool in Torch's wheel that translates CUDA sources to HIP. It is a Python package that works without the rest of
# Torch.
{ runStep }:
/**
  Type: rocmHipify :: Package -> Derivation
*/
torch:
runStep {
  name = "${torch.name}-hipify";
  script = ./unpack.sh;
  env = { inherit (torch) source; };
}
