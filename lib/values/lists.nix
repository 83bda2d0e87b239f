# Lists.
_:
let
  inherit (builtins) elem filter foldl';

  unique = foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];
in
{
  /**
    The elements of a list without repeats; each keeps its first place.

    # Example

    ```nix
    unique [ "b" "a" "b" ]
    => [ "b" "a" ]
    ```

    # Type

    ```
    unique :: [a] -> [a]
    ```
  */
  inherit unique;

  /**
    The elements of a list in groups that have the same key, in the order of first elements.

    # Example

    ```nix
    groupInOrder (row: row.system) [ { system = "b"; } { system = "a"; } { system = "b"; } ]
    => [ [ { system = "b"; } { system = "b"; } ] [ { system = "a"; } ] ]
    ```

    # Type

    ```
    groupInOrder :: (a -> String) -> [a] -> [[a]]
    ```
  */
  groupInOrder =
    keyOf: list:
    map (key: filter (element: keyOf element == key) list) (unique (map keyOf list));

  /**
    A list if a condition holds, else the empty one, as in nixpkgs.

    # Type

    ```
    optionals :: Bool -> [a] -> [a]
    ```
  */
  optionals = condition: list: if condition then list else [ ];
}
