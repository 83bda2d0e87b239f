# Names that Nix accepts for store paths.
_:
let
  inherit (builtins) concatStringsSep isString split;
in
{
  /**
    Replace every character that a store path must not hold by `_`.

    # Example

    ```nix
    sanitize "libssl3_3.0.20-1~deb12u2_amd64.deb"
    => "libssl3_3.0.20-1_deb12u2_amd64.deb"
    ```

    # Type

    ```
    sanitize :: String -> String
    ```
  */
  sanitize =
    name:
    concatStringsSep "" (
      map (part: if isString part then part else "_") (split "[^A-Za-z0-9+._?=-]" name)
    );
}
