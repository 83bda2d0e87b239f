# The Builder of each backend. The defaults suit a backend that the toolchain compiles and links for; the
# `pkgs/default.nix` of a backend's folder has the differences. docs/data.md describes the fields.
{ lib, callPackage, compileObject, linkExtension }:
let
  inherit (lib.values.attributes) optionalAttrs;
  defaults = {
    toolkitPackages = _: { };
    compile = compileObject;
    compileDevice = null;
    link = linkExtension;
    shell = _: {
      tools = [ ];
      variables = { };
    };
  };

  # Compiles units without device code, and those with device code whole or in passes.
  compileWith =
    { compile, compileDevice, ... }:
    { unit, ... }@arguments:
    let
      objects = compileDevice arguments;
    in
    if unit.device == null then
      compile arguments
    else if unit.device.whole != null then
      [
        { name = unit.source; value = objects.whole; }
      ]
    else
      [
        { name = unit.source; value = objects.host; }
        { name = "${unit.source} (device code)"; value = objects.gathered; }
      ];
in
builtins.mapAttrs (
  _: { packageFolder, ... }:
  let
    builder = defaults // optionalAttrs (packageFolder != null) (callPackage packageFolder { });
  in
  builder // { compile = compileWith builder; }
) lib.backends.all
