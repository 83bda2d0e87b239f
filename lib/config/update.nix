# What `kernel-builder update-build` makes of a build.toml.
#
# Everything is judged by form and meaning alone: whether the sources are there is
# no matter of the edition, and names that a kernel's flake brings are not known here.
{ config, ... }:
let
  inherit (builtins)
    attrValues
    concatMap
    fromTOML
    ;
  inherit (config.dependencies) extendTable;
  inherit (config.editions) rewriteToml;
  inherit (config.meaning) checkMeaning;
  inherit (config.shape) checkShape fillConfig;

  # Takes every name that the file itself depends on.
  dependenciesOf =
    filled:
    extendTable (concatMap (component: component.depends) (attrValues filled.components));
in
{
  /**
    The edits that bring a file to the newest edition, the file as they leave it, why
    each was needed, and what is still wrong then. Text that is not TOML fails with Nix's words.

    # Type

    ```
    planUpdate :: String -> { edits :: [Edit]; toml :: AttrSet; notes :: [Problem]; problems :: [Problem]; }
    ```
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
