# Brings a build.toml to the newest edition, for `kernel-builder update-build`.
#
# Only shape and meaning are checked: an edition does not change sources, and the names that the
# kernel's flake adds are not known here.
{ config, ... }:
let
  inherit (builtins) attrValues concatMap fromTOML;
  inherit (config.dependencies) addDependencies;
  inherit (config.editions) rewriteToml;
  inherit (config.meaning) checkMeaning;
  inherit (config.shape) checkShape fillConfig;

  # Accepts every name in `depends`, because the kernel's flake may add it.
  dependenciesOf =
    filled:
    addDependencies (concatMap (component: component.depends) (attrValues filled.components));
in
{
  /**
    The edits that bring a file to the newest edition, the edited file, a note with the reason for
    each edit, and the problems that remain. Text that is not TOML fails with Nix's own message.

    Type: planUpdate :: String -> { edits :: [Edit]; toml :: AttrSet; notes :: [Problem]; problems :: [Problem]; }
  */
  planUpdate =
    text:
    let
      rewritten = rewriteToml (fromTOML text);
      file = rewritten.toml;
      filled = fillConfig file;
    in
    {
      inherit (rewritten) edits;
      toml = file;
      notes = rewritten.warnings;
      problems =
        checkShape file
        ++ checkMeaning {
          inherit file;
          config = filled;
          dependencies = dependenciesOf filled;
        };
    };
}
