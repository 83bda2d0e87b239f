# The data of all systems and of some backends for the checks, as one JSON file. A check of a variant gets its own
# backend alone, so that a new backend checks no variant of others again.
{ lib }:
/** Type: factsFile :: [String] -> StorePath */
names:
builtins.toFile "facts.json" (
  builtins.toJSON {
    backends = lib.values.attributes.generate names (name: lib.backends.all.${name}.checks);
    systems = lib.platforms.systems.table;
  }
)
