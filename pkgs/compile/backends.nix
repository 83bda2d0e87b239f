# The Builder of each backend with compiled code: the toolchain suffices unless the backend's `pkgs/default.nix`
# says otherwise. docs/data.md describes the fields.
{
  lib,
  callPackage,
  compileObject,
  linkExtension,
}:
let
  inherit (builtins) filter pathExists;
  defaults = {
    toolkitPackages = _: { };
    compile = compileObject;
    link = linkExtension;
    shell = _: {
      tools = [ ];
      variables = { };
    };
  };
  builderOf =
    { packageFolder, ... }:
    defaults
    // (
      if packageFolder != null && pathExists (packageFolder + "/default.nix") then
        callPackage packageFolder { }
      else
        { }
    );
in
lib.values.attributes.byName builderOf (
  filter (backend: backend.languages != { }) (builtins.attrValues lib.backends.all)
)
