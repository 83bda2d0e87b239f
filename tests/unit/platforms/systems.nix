{ platforms, ... }:
let
  inherit (platforms) systems;
in
{
  all.sorted = {
    expr = systems.all;
    expected = [
      "aarch64-darwin"
      "aarch64-linux"
      "x86_64-linux"
    ];
  };
  building.areKnown = {
    expr = builtins.filter (system: !builtins.elem system systems.all) systems.building;
    expected = [ ];
  };
  listBuildableSystems.itsOwnFirst = {
    expr = map systems.listBuildableSystems [
      "x86_64-linux"
      "aarch64-linux"
    ];
    expected = [
      [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ]
      [
        "aarch64-linux"
        "aarch64-darwin"
      ]
    ];
  };
  isDarwin.ofSystemsAndVariants = {
    expr = map systems.isDarwin [
      "aarch64-darwin"
      "x86_64-linux"
      "torch213-metal-aarch64-darwin"
      "torch-metal"
    ];
    expected = [
      true
      false
      true
      false
    ];
  };
}
