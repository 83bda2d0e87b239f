# Attribute sets out of lists.
_:
let
  inherit (builtins) listToAttrs map;
in
{
  /**
    A set with these names, each of which stands for itself.

    # Type

    ```
    fromNames :: [String] -> { ${name} :: String; }
    ```
  */
  fromNames =
    names:
    listToAttrs (
      map (name: {
        inherit name;
        value = name;
      }) names
    );

  /**
    A set with these names and a value made from each.

    # Type

    ```
    generate :: [String] -> (String -> a) -> { ${name} :: a; }
    ```
  */
  generate =
    names: valueOf:
    listToAttrs (
      map (name: {
        inherit name;
        value = valueOf name;
      }) names
    );
}
