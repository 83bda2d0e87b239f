# Folders of headers out of a source, as one folder: what a name in `depends` stands for.
{ lib, runStep }:
/**
  `source` is a tree (`fetchArchive`) or a wheel, and `folders` are in it.

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
  collectHeaders :: { name :: String; source :: Derivation; folders :: [String]; } -> Package
  ```
*/
{
  name,
  source,
  folders,
}:
runStep {
  name = lib.storeName.sanitize "${name}-headers";
  script = ./collect.sh;
  env = { inherit source folders; };
}
