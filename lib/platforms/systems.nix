# The systems that kernels have variants for.
{ values, backends, ... }:
let
  inherit (builtins)
    attrValues
    concatMap
    match
    sort
    ;
  inherit (values) lists;
  inherit (values.lists) optionals;
in
{
  /** All of them, sorted. */
  all = sort (a: b: a < b) (
    lists.unique (concatMap (backend: backend.systems) (attrValues backends.all))
  );

  /**
    Whether a system is macOS, or the variant of a name is for it.

    # Type

    ```
    isDarwin :: String -> Bool
    ```
  */
  isDarwin = name: match ".*-darwin" name != null;

  /** Those that builds run on: on the others a kernel has its data and no `packages`. */
  building = [
    "aarch64-darwin"
    "aarch64-linux"
    "x86_64-linux"
  ];

  /**
    Those that a machine of a system builds for: its own, and what it has a compiler for.

    # Example

    ```nix
    listBuildableSystems "x86_64-linux" => [ "x86_64-linux" "aarch64-linux" ]
    ```

    # Type

    ```
    listBuildableSystems :: String -> [String]
    ```
  */
  listBuildableSystems = system: [ system ] ++ optionals (system == "x86_64-linux") [ "aarch64-linux" ];
}
