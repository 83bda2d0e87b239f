# Attribute sets.
_:
let
  inherit (builtins) isAttrs listToAttrs map;

  optionalAttrs = condition: set: if condition then set else { };
  keyBy =
    field: valueOf: things:
    listToAttrs (
      map (thing: { name = thing.${field}; value = valueOf thing; }) things
    );
in
{
  /**
    A set if a condition holds, else the empty one, as in nixpkgs.

    Type: optionalAttrs :: Bool -> AttrSet -> AttrSet
  */
  inherit optionalAttrs;

  /**
    A value if it is a set, else the empty set.

    Type: setOrEmpty :: Any -> AttrSet
  */
  setOrEmpty = value: optionalAttrs (isAttrs value) value;

  /**
    A set with these names, and a value computed from each name.

    Type: generate :: [String] -> (String -> a) -> { ${name} :: a; }
  */
  generate =
    names: valueOf:
    listToAttrs (
      map (name: { inherit name; value = valueOf name; }) names
    );

  /**
    A set from the names of things to values computed from each thing.

    # Example

    ```nix
    byName (variant: variant.torch) [ { name = "a"; torch = "2.13.0"; } ]
    => { a = "2.13.0"; }
    ```

    Type: byName :: ({ name :: String; … } -> a) -> [{ name :: String; … }] -> { ${name} :: a; }
  */
  byName = keyBy "name";

  /**
    A set from the places of things to values computed from each thing. A section's place in build.toml is its identity:
    a component may be called like the framework.

    # Example

    ```nix
    byPlace (section: section.src) [ { at = "torch"; src = [ ]; } { at = "kernel.torch"; src = [ "a.cu" ]; } ]
    => { torch = [ ]; "kernel.torch" = [ "a.cu" ]; }
    ```

    Type: byPlace :: ({ at :: String; … } -> a) -> [{ at :: String; … }] -> { ${at} :: a; }
  */
  byPlace = keyBy "at";
}
