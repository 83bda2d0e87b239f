# The documents that are readings of the library's tables, by file name.
{ library }:
{
  "build-toml.md" = import ./build-toml.nix { inherit library; };
  "build-toml.schema.json" = import ./json.nix library.jsonSchema.schema;
  "variants.md" = import ./variants.nix { inherit library; };
}
