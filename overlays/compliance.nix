# What a built variant has to pass before it is one.
final: _: {
  checks = final.callPackage ../pkgs/checks { };
  listSymbols = final.callPackage ../pkgs/symbol-lists { };
  platformSymbols = final.callPackage ../pkgs/symbol-lists/platform.nix { };
  listTorchSymbols = final.callPackage ../pkgs/symbol-lists/torch.nix { };
  symbolListsOf = final.callPackage ../pkgs/symbol-lists/of-variant.nix { };
  checkAbi = final.callPackage ../pkgs/abi-check { };
  checkImport = final.callPackage ../pkgs/import-check { };
  checkLayout = final.callPackage ../pkgs/layout-check { };
  checkRegistration = final.callPackage ../pkgs/registration-check { };
}
