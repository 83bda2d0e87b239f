# Folders of headers from a source, merged into one: a package that `depends` may name.
{ joinLines, lib, runStep }:
/**
  `source` is a tree (`fetchArchive`) or a wheel with `folders` in it. `edits` maps a header to a sed script;
  a script that changes nothing fails.

  # Example

  ```nix
  collectHeaders {
    name = "eigen";
    source = fetchArchive { url = "…"; hash = "…"; };
    folders = [ "include" ];
  }
  ```

  Type: collectHeaders :: { name :: String; source :: Derivation; folders :: [String]; edits ? { ${file} :: String; }; }
    -> Package
*/
{ name, source, folders, edits ? { } }:
runStep {
  name = lib.values.storeName.sanitize "${name}-headers";
  script = ./collect.sh;
  env = {
    inherit source folders;
    edits = joinLines (map (file: "${file} ${edits.${file}}") (builtins.attrNames edits));
  };
}
