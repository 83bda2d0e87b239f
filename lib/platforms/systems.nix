# The systems that kernels have variants for, and the systems that builds run on.
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
  /** All systems of variants, sorted. */
  all = sort (a: b: a < b) (
    lists.unique (concatMap (backend: backend.systems) (attrValues backends.all))
  );

  /**
    Whether a system is macOS. The argument may also be the name of a variant, because it ends with the system.

    Type: isDarwin :: String -> Bool
  */
  isDarwin = name: match ".*-darwin" name != null;

  /** The systems that builds run on. On other systems a kernel's flake has data but no `packages`. */
  building = [
    "aarch64-darwin"
    "aarch64-linux"
    "x86_64-linux"
  ];

  /**
    The systems that a machine builds for: its own, and the systems that it has a cross compiler for.

    # Example

    ```nix
    listBuildableSystems "x86_64-linux" => [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ]
    ```

    Type: listBuildableSystems :: String -> [String]
  */
  listBuildableSystems =
    system:
    [ system ]
    ++ optionals (system == "x86_64-linux") [ "aarch64-linux" ]
    ++ optionals (system != "aarch64-darwin") [ "aarch64-darwin" ];
}
