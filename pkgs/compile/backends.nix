# The Builder of each backend. The defaults suit a backend that the toolchain compiles and links for; the
# `pkgs/default.nix` of a backend's folder has the differences. docs/data.md describes the fields.
{ lib, callPackage, compileObject, linkExtension }:
let
  inherit (lib.values.attributes) optionalAttrs;
  defaults = {
    toolkitPackages = _: { };
    compile = compileObject;
    link = linkExtension;
    shell = _: {
      tools = [ ];
      variables = { };
    };
  };
  hasBuilder = folder: folder != null && builtins.pathExists (folder + "/default.nix");
in
builtins.mapAttrs (
  _: { packageFolder, ... }: defaults // optionalAttrs (hasBuilder packageFolder) (callPackage packageFolder { })
) lib.backends.all
