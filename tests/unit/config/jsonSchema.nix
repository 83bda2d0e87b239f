{ config, ... }:
let
  inherit (builtins) attrNames filter;
  inherit (config) jsonSchema schema;
  inherit (jsonSchema.schema) properties;
  component = properties.kernel.additionalProperties;
in
{
  schema = {
    hasEveryKeyOfGeneral = {
      expr = attrNames properties.general.properties;
      expected = builtins.sort (a: b: a < b) (
        attrNames schema.sections.general.keys ++ schema.backends ++ [ "hub" ]
      );
    };
    # Editors mark a misspelt key in every section.
    isClosed = {
      expr = filter (section: section.additionalProperties) [
        jsonSchema.schema
        properties.general
        properties.general.properties.hub
        properties.torch
        properties.torch-noarch
        component
      ];
      expected = [ ];
    };
    allowedValues = {
      expr = properties.general.properties.backends.items;
      expected = {
        type = "string";
        enum = schema.backends;
      };
    };
    pattern = {
      expr = properties.general.properties.name.pattern;
      expected = "^(?:[a-z][-a-z0-9]{0,94}[a-z0-9])$";
    };
    keysOfOneBackend = {
      expr = map (rule: builtins.elem "hip-flags" rule."then".propertyNames.enum) component.allOf;
      expected = map (backend: backend == "rocm") schema.backends;
    };
    eachFramework = {
      expr = builtins.filter (name: !properties ? ${name}) schema.frameworks;
      expected = [ ];
    };
    required = {
      expr = component.required;
      expected = [
        "backend"
        "depends"
        "src"
      ];
    };
  };
}
