# The documents that are readings of the library's tables and of the package sets' pins, by file name.
{ library, packages }:
{
  "build-toml.md" = import ./build-toml.nix { inherit library; };
  "build-toml.schema.json" = import ./json.nix library.config.jsonSchema.schema;
  "variants.md" = import ./variants.nix { inherit library; };
}
// import ./status { inherit library packages; }
