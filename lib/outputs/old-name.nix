# The older name of `genKernelFlakeOutputs`, which published flakes call.
{ outputs, ... }:
let
  inherit (builtins) mapAttrs removeAttrs;
  inherit (outputs.notice) addNotice;
in
{
  /**
    Make `genFlakeOutputs` from `genKernelFlakeOutputs`: the same outputs, with a warning about the new name.

    Type: addRenameNotice :: (AttrSet -> FlakeOutputs) -> AttrSet -> FlakeOutputs
  */
  addRenameNotice =
    genKernelFlakeOutputs: args:
    let
      # `pythonPackageOverlay` changes packages of nixpkgs, which kernel-builder does not use.
      dropped = if args ? pythonPackageOverlay then " and its pythonPackageOverlay is not used" else "";
      text = "genFlakeOutputs is called genKernelFlakeOutputs now${dropped}; change it in flake.nix";
      print = addNotice text;
      addWarning = manifest: manifest // { warnings = manifest.warnings ++ [ text ]; };
      outputs = genKernelFlakeOutputs (removeAttrs args [ "pythonPackageOverlay" ]);
    in
    outputs
    // {
      packages = mapAttrs (_: mapAttrs (_: print)) outputs.packages;
      legacyPackages = mapAttrs (
        _: ofSystem:
        ofSystem
        // {
          bundle = print ofSystem.bundle;
          ci = print ofSystem.ci;
          redistributable = mapAttrs (_: print) ofSystem.redistributable;
          manifest = addWarning ofSystem.manifest;
          manifestOf = requested: addWarning (ofSystem.manifestOf requested);
        }
      ) outputs.legacyPackages;
    };
}
