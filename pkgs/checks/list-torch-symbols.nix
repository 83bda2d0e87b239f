# The symbols of Torch's own libraries, and of those that its wheel brings along.
{ listSymbols }:
/**
  # Type

  ```
  listTorchSymbols :: Package -> Derivation
  ```
*/
torch:
listSymbols {
  inherit (torch) name;
  libraries = [ "${torch}/lib/python3.11/site-packages/torch/lib" ];
}
