# Lists.
_:
let
  inherit (builtins) all elem filter foldl' genericClosure isString length map;

  asNodes = map (key: { inherit key; });
  close = operator: list: map ({ key }: key) (genericClosure { inherit operator; startSet = asNodes list; });
  follow = next: close ({ key }: asNodes (next key));

  # A kernel can have thousands of sources: a closure finds repeats among strings without comparing all pairs. For short
  # lists, comparing is cheaper.
  uniqueStrings = close (_: [ ]);
  uniqueValues = foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];
  unique = list: if length list > 100 && all isString list then uniqueStrings list else uniqueValues list;
in
{
  /**
    The elements of a list without repeats; each keeps its first place.

    # Example

    ```nix
    unique [ "b" "a" "b" ]
    => [ "b" "a" ]
    ```

    Type: unique :: [a] -> [a]
  */
  inherit unique;

  /**
    The elements of a list in groups that have the same key, in the order of first elements.

    # Example

    ```nix
    groupInOrder (row: row.system) [ { system = "b"; } { system = "a"; } { system = "b"; } ]
    => [ [ { system = "b"; } { system = "b"; } ] [ { system = "a"; } ] ]
    ```

    Type: groupInOrder :: (a -> String) -> [a] -> [[a]]
  */
  groupInOrder =
    keyOf: list:
    map (key: filter (element: keyOf element == key) list) (unique (map keyOf list));

  /**
    The texts in `start`, and those that `next` lists for one of them, directly or indirectly.

    Type: follow :: (String -> [String]) -> [String] -> [String]
  */
  inherit follow;

  /**
    A list with one element if a condition holds, else the empty one, as in nixpkgs.

    Type: optional :: Bool -> a -> [a]
  */
  optional = condition: element: if condition then [ element ] else [ ];

  /**
    A list if a condition holds, else the empty one, as in nixpkgs.

    Type: optionals :: Bool -> [a] -> [a]
  */
  optionals = condition: list: if condition then list else [ ];
}
