# Problems whose texts are data: the JSON file beside a module has a record with the texts of each.
{ ... }:
let
  inherit (builtins) concatStringsSep elemAt fromJSON isList isString mapAttrs readFile split toJSON;

  # A list is written as its elements with commas between them.
  write =
    writeOne: value: if isList value then concatStringsSep ", " (map writeOne value) else writeOne value;

  fill =
    values: text:
    let
      insert =
        part:
        if isString part then
          part
        else
          write (if elemAt part 1 == null then toString else toJSON) values.${elemAt part 0};
    in
    concatStringsSep "" (map insert (split "[{]([A-Za-z]+)(!r)?[}]" text));
in
{
  /**
    The problems of a file, by name: functions from the values in their texts to a Problem. As in Python, `{name}`
    stands for a value, and `{name!r}` for the value as build.toml has it. The place `at` is one of the values if the
    record does not state it.

    # Example

    ```nix
    (readCatalogue ./meaning.json).unknown-edition { edition = 9; newest = 5; fix = "…"; }
    => { at = "general.edition"; found = "9"; want = "an edition from 1 to 5"; fix = "…"; }
    ```

    Type: readCatalogue :: Path -> { ${name} :: AttrSet -> Problem; }
  */
  readCatalogue =
    file:
    mapAttrs (_: texts: values: { inherit (values) at; } // mapAttrs (_: fill values) texts) (
      fromJSON (readFile file)
    );
}
