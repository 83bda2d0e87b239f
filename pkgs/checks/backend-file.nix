# The data of some backends for the checks, as one JSON file. A check of a variant gets its own backend alone, so
# that a new backend checks no variant of others again.
{ lib }:
/** Type: backendFile :: [String] -> StorePath */
names:
let
  inherit (builtins) toFile toJSON;
in
toFile "backends.json" (
  toJSON (lib.values.attributes.generate names (name: lib.backends.all.${name}.checks))
)
