# The list of words in a JSON file, with values in place of their names between two `@`.
{ fillIn }:
/** Type: readWords :: { ${name} :: String; } -> Path -> [String] */
values: file:
map (fillIn values) (builtins.fromJSON (builtins.readFile file))
