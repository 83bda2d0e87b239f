# The symbols of the libraries in Torch's wheel.
{ listSymbols, python }:
/**
  # Type

  ```
  listTorchSymbols :: Package -> Derivation
  ```
*/
torch:
listSymbols {
  inherit (torch) name;
  libraries = [ "${torch}/${python.sitePackages}/torch/lib" ];
}
