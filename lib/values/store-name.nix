# Names that Nix accepts for store paths.
_:
let
  inherit (builtins)
    concatStringsSep
    hashString
    isString
    split
    stringLength
    substring
    ;

  # Nix takes 211 characters; steps of a build add what they are (".host.o", "-registration-check").
  longest = 170;
  # With the hash of the whole, no two of them are the same.
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
    Replace every character that a store path must not hold by `_`, and shorten what is too long.

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
    shorten (
      concatStringsSep "" (
        map (part: if isString part then part else "_") (split "[^A-Za-z0-9+._?=-]" name)
      )
    );
}
