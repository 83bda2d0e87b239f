# A text with values in place of their names between two `@`.
{ }:
/**
  # Example

  ```nix
  fillIn { version = "12"; } "gcc-@version@"
  => "gcc-12"
  ```

  Type: fillIn :: { ${name} :: String; } -> String -> String
*/
values:
builtins.replaceStrings (map (name: "@${name}@") (builtins.attrNames values)) (builtins.attrValues values)
