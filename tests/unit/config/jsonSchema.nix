{ config, ... }:
let
  inherit (builtins) attrNames filter;
  inherit (config) jsonSchema schema;
  inherit (jsonSchema.schema) properties;
  component = properties.kernel.additionalProperties;
in
{
  schema = {
    hasEveryKeyOfGeneral = [
      (attrNames properties.general.properties)
      (builtins.sort (a: b: a < b) (attrNames schema.sections.general.keys ++ schema.backends ++ [ "hub" ]))
    ];
    # Editors mark a misspelt key in every section.
    isClosed = [
      (filter (section: section.additionalProperties) [
        jsonSchema.schema
        properties.general
        properties.general.properties.hub
        properties.torch
        properties.torch-noarch
        component
      ])
      [ ]
    ];
    eachFramework = [ (builtins.filter (name: !properties ? ${name}) schema.frameworks) [ ] ];
    required = [ component.required [ "backend" "depends" "src" ] ];
  };
}
