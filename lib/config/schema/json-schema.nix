# The JSON Schema of build.toml, for editors, derived from the table in schema/.
#
# It covers rules about the file alone. The library also checks names in `depends`, files, and rules
# across sections.
{ values, tables, config, ... }:
let
  inherit (builtins) attrNames elem filter fromJSON mapAttrs readFile;
  inherit (values) attributes;
  inherit (values.attributes) optionalAttrs;
  inherit (tables) types;
  inherit (config) schema;
  inherit (schema) sections;

  # Limits of a value, or of each element if the type is a list.
  limitsOf =
    key:
    optionalAttrs (key.allowed != null) { enum = key.allowed; }
    // optionalAttrs (key.pattern != null) { pattern = "^(?:${key.pattern})$"; };

  valueOf =
    key:
    let
      plain = types.${key.type}.jsonSchema;
      limits = limitsOf key;
    in
    (if plain ? items then plain // { items = plain.items // limits; } else plain // limits)
    // {
      description =
        key.meaning + (if key.backends == null then "" else " Only for ${toString key.backends}.");
    }
    // optionalAttrs (key.default != null) { inherit (key) default; };

  sectionOf =
    section: parts:
    {
      type = "object";
      description = section.meaning;
      properties = mapAttrs (_: valueOf) section.keys // parts;
      additionalProperties = false;
    }
    // (
      let
        required = filter (name: section.keys.${name}.required) (attrNames section.keys);
      in
      optionalAttrs (required != [ ]) { inherit required; }
    );

  kernel = sections."kernel.NAME";
  component = sectionOf kernel { } // {
    allOf = map (backend: {
      "if" = { properties.backend.const = backend; required = [ "backend" ]; };
      "then".propertyNames.enum = filter (
        name:
        let
          inherit (kernel.keys.${name}) backends;
        in
        backends == null || elem backend backends
      ) (attrNames kernel.keys);
    }) schema.backends;
  };

  general = sectionOf sections.general (
    attributes.generate ([ "hub" ] ++ schema.backends) (part: sectionOf sections."general.${part}" { })
  );
in
{
  /**
    The schema, as a value for `toJSON` (draft 2020-12). json-schema.json has what depends on no table: a kernel without
    compiled code has no components.

    Type: schema :: AttrSet
  */
  schema = fromJSON (readFile ./json-schema.json) // {
    title = "build.toml of a Torch kernel, edition ${toString schema.edition}";
    properties = {
      inherit general;
      kernel = {
        type = "object";
        description = "The components, by name.";
        additionalProperties = component;
      };
    }
    // attributes.generate schema.frameworks (name: sectionOf sections.${name} { });
    oneOf = map (name: { required = [ name ]; }) schema.frameworks;
  };
}
