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
    allowedValues = [ properties.general.properties.backends.items { type = "string"; enum = schema.backends; } ];
    pattern = [ properties.general.properties.name.pattern "^(?:[a-z][-a-z0-9]{0,94}[a-z0-9])$" ];
    keysOfOneBackend = [
      (map (rule: builtins.elem "hip-flags" rule."then".propertyNames.enum) component.allOf)
      (map (backend: backend == "rocm") schema.backends)
    ];
    eachFramework = [ (builtins.filter (name: !properties ? ${name}) schema.frameworks) [ ] ];
    required = [ component.required [ "backend" "depends" "src" ] ];
  };
}
