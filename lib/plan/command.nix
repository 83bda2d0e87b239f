# From the words of a plan to those of a command.
_:
let
  inherit (builtins)
    concatStringsSep
    elem
    head
    isString
    split
    ;
in
{
  /**
    A word with the folders of packages in the place of `@package@`. Of other names between two
    such signs, which may be a kernel's own, nothing is known.

    # Example

    ```nix
    fillIn { packages = [ "torch" ]; folders.torch = "/x"; } "-L@torch@/lib"
    => "-L/x/lib"
    ```

    # Type

    ```
    fillIn :: { packages :: [String]; folders :: { ${package} :: String; }; } -> String -> String
    ```

    # Errors

    A package of the plan that has no folder: whoever said that the variant can be built was wrong.
  */
  fillIn =
    { packages, folders }:
    word:
    let
      folderOf =
        name:
        if !elem name packages then
          "@${name}@"
        else
          folders.${name}
            or (throw "internal error: the package set has no ${name}, which the plan names in ${word}");
    in
    concatStringsSep "" (
      map (part: if isString part then part else "${folderOf (head part)}") (
        split "@([A-Za-z][A-Za-z0-9_.-]*)@" word
      )
    );
}
