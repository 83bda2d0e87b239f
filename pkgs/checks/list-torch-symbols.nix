# The symbols of the libraries in Torch's wheel.
{ listSymbols }:
/** Type: listTorchSymbols :: Package -> Derivation */
torch:
listSymbols {
  inherit (torch) name;
  libraries = [ "${torch}/${torch.sitePackages}/torch/lib" ];
}
