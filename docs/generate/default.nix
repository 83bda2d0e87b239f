# The documents that are generated from the library's tables and the pins of the package sets, by file name.
{ library, packages }:
{
  "build-toml.md" = import ./build-toml.nix { inherit library; };
  "build-toml.schema.json" = import ./json.nix library.config.jsonSchema.schema;
  "flake.md" = import ./flake.nix { inherit library; };
  "variants.md" = import ./variants.nix { inherit library packages; };
}
// import ./status { inherit library packages; }
