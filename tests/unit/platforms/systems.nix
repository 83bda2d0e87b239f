{ backends, systems, ... }:
let
  inherit (builtins) attrNames concatMap filter;
  of = names: filter (name: !builtins.elem name systems.all) names;
in
{
  table.sameFields = [
    (map (name: attrNames systems.table.${name}) (filter (name: !systems.isDarwin name) systems.all))
    (map (_: attrNames systems.table.x86_64-linux) (filter (name: !systems.isDarwin name) systems.all))
  ];
  all = {
    ofBackends = [ (of (concatMap (backend: backend.systems) (builtins.attrValues backends.all))) [ ] ];
    ofCrossBuilds = [ (of (concatMap systems.listBuildableSystems systems.all)) [ ] ];
  };
  listBuildableSystems.itsOwnFirst = [
    (map systems.listBuildableSystems [ "x86_64-linux" "aarch64-linux" ])
    [ [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ] [ "aarch64-linux" "aarch64-darwin" ] ]
  ];
  isDarwin.ofSystems = [ (filter systems.isDarwin systems.all) [ "aarch64-darwin" ] ];
}
