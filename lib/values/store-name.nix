# Names of store paths.
_:
let
  inherit (builtins) concatStringsSep hashString isString split stringLength substring;

  # Nix accepts 211 characters. Build steps add a suffix, such as ".host.o" or "-registration-check".
  longest = 170;
  # The hash of the whole name keeps shortened names distinct.
  shorten =
    name:
    let
      length = stringLength name;
      digest = substring 0 16 (hashString "sha256" name);
    in
    if length <= longest then
      name
    else
      "${substring 0 100 name}-${digest}-${substring (length - 40) 40 name}";
in
{
  /**
    A name with `_` for every character that a store path must not have, shortened if it is too long.

    # Example

    ```nix
    sanitize "libssl3_3.0.20-1~deb12u2_amd64.deb"
    => "libssl3_3.0.20-1_deb12u2_amd64.deb"
    ```

    Type: sanitize :: String -> String
  */
  sanitize =
    name:
    shorten (
      concatStringsSep "" (
        map (part: if isString part then part else "_") (split "[^A-Za-z0-9+._?=-]" name)
      )
    );
}
