{ config, ... }:
let
  inherit (config.jsonSchema) schema;
  inherit (schema) properties;
in
{
  # Editors mark a misspelt key in every section. docs/reference/build-toml.schema.json has the whole schema.
  schema.isClosed = [
    (builtins.filter (section: section.additionalProperties) [
      schema
      properties.general
      properties.general.properties.hub
      properties.torch
      properties.torch-noarch
      properties.kernel.additionalProperties
    ])
    [ ]
  ];
}
