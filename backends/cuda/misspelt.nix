# Finds options of nvcc with other dashes, such as "--use-fast-math" for "--use_fast_math".
#
# nvcc passes options that it does not know to gcc, which refuses them in its own words.
let
  inherit (builtins) attrNames concatMap concatStringsSep filter fromJSON head isString listToAttrs match readFile split;

  readOptions = import ./options.nix;
  withoutDashes = text: concatStringsSep "" (filter isString (split "[-_]+" text));
  options = listToAttrs (
    map (name: { name = withoutDashes name; value = name; }) (
      attrNames (fromJSON (readFile ./nvcc-options.json)).options
    )
  );
in
/**
  Options that nvcc does not have, each with the option that has the same letters.

  # Example

  ```nix
  listMisspelt [ "--use-fast-math" ]
  => [ { written = "--use-fast-math"; option = "--use_fast_math"; } ]
  ```

  Type: listMisspelt :: [String] -> [{ written, option :: String; }]
*/
flags:
concatMap (
  option:
  let
    parts = match "(--?[A-Za-z][^= ]*).*" (concatStringsSep " " option.words);
    written = head parts;
    meant = options.${withoutDashes written} or null;
  in
  if parts == null || meant == null then [ ] else [ { inherit written; option = meant; } ]
) (filter (option: option.option == null) (readOptions flags))
