# Folders of headers out of a source, as one folder: what a name in `depends` stands for.
{ lib, runStep }:
let
  inherit (builtins) attrNames concatStringsSep;
in
/**
  `source` is a tree (`fetchArchive`) or a wheel, and `folders` are in it. `edits` are changes of headers, each a
  script of sed for a file; one that changes nothing fails.

  # Example

  ```nix
  collectHeaders {
    name = "eigen";
    source = fetchArchive { url = "…"; hash = "…"; };
    folders = [ "include" ];
  }
  ```

  # Type

  ```
  collectHeaders :: { name :: String; source :: Derivation; folders :: [String]; edits ? { ${file} :: String; }; } -> Package
  ```
*/
{
  name,
  source,
  folders,
  edits ? { },
}:
runStep {
  name = lib.values.storeName.sanitize "${name}-headers";
  script = ./collect.sh;
  env = {
    inherit source folders;
    edits = concatStringsSep "\n" (map (file: "${file} ${edits.${file}}") (attrNames edits));
  };
}
