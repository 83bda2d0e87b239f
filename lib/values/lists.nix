# Lists.
_:
let
  inherit (builtins) elem foldl';
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
  unique = foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];

  /**
    A list if a condition holds, else the empty one, as in nixpkgs.

    # Type

    ```
    optionals :: Bool -> [a] -> [a]
    ```
  */
  optionals = condition: list: if condition then list else [ ];
}
