{ backends, platforms, ... }:
let
  inherit (builtins) attrNames concatMap filter;
  inherit (platforms) systems;
  of = names: filter (name: !builtins.elem name systems.all) names;
in
{
  table.sameFields = {
    expr = map (name: attrNames systems.table.${name}) (filter (name: !systems.isDarwin name) systems.all);
    expected = map (_: attrNames systems.table.x86_64-linux) (
      filter (name: !systems.isDarwin name) systems.all
    );
  };
  all = {
    ofBackends = {
      expr = of (concatMap (backend: backend.systems) (builtins.attrValues backends.all));
      expected = [ ];
    };
    ofCrossBuilds = {
      expr = of (concatMap systems.listBuildableSystems systems.all);
      expected = [ ];
    };
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
  isDarwin.ofSystems = {
    expr = filter systems.isDarwin systems.all;
    expected = [ "aarch64-darwin" ];
  };
}
