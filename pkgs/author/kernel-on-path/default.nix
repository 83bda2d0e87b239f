# A built variant as something that an environment of Python can have: the folder that users
# put on their path, put there by a `.pth` file.
{ runStep }:
/**
  # Type

  ```
  kernelOnPath :: Derivation -> Package
  ```
*/
variant:
runStep {
  name = "${variant.name}-on-path";
  script = ./install.sh;
  env = { inherit variant; };
}
// {
  depends = [ ];
}
