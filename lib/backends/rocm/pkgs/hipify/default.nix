# The tool in Torch's wheel that translates sources of CUDA to HIP. It is a Python package that does not import the rest of Torch.
{ runStep }:
/**
  # Type

  ```
  rocmHipify :: Package -> Derivation
  ```
*/
torch:
runStep {
  name = "${torch.name}-hipify";
  script = ./unpack.sh;
  env = { inherit (torch) source; };
}
