# The tool of a Torch that translates CUDA's sources to HIP, out of its wheel: a package of Python
# that needs nothing of Torch.
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
