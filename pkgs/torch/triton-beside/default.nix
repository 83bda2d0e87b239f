# Triton as it belongs to a Torch, for kernels whose Python files import it. A Torch for CUDA
# brings the same wheel along; one for the processor does without, but a kernel may not.
{
  system,
  pythonPackage,
}:
/**
  No package where none is pinned for the release.

  # Type

  ```
  tritonBeside :: String -> [Package]
  ```
*/
build:
let
  release = builtins.head (builtins.match "([^+]*).*" build);
  lock = ./locks + "/${release}.json";
  pins =
    if builtins.pathExists lock then
      (builtins.fromJSON (builtins.readFile lock)).pins.${system} or { }
    else
      { };
in
map (
  project:
  pythonPackage {
    inherit project;
    pin = pins.${project};
    depends = [ ];
  }
) (builtins.attrNames pins)
