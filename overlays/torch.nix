# Torch. `torch` itself is set by each variant, on top of this set.
final: _: {
  torchPins = builtins.fromJSON (builtins.readFile ../pkgs/torch/pins.json);
  hasTorch = build: final.torchPins ? ${build}.${final.system};
  torchWheel = final.callPackage ../pkgs/torch { };
  importObstacle = final.callPackage ../pkgs/torch/import-obstacle.nix { };
}
