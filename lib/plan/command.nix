# From the words of a plan to those of a command.
_:
let
  inherit (builtins) replaceStrings;
in
{
  /**
    A word, or a text of many, with the folders of packages in the place of `@package@`. Of other
    names between two such signs, which may be a kernel's own, nothing is known.

    # Example

    ```nix
    fillCommand { packages = [ "torch" ]; folders.torch = "/x"; } "-L@torch@/lib"
    => "-L/x/lib"
    ```

    # Type

    ```
    fillCommand :: { packages :: [String]; folders :: { ${package} :: String; }; } -> String -> String
    ```

    # Errors

    A package of the plan that has no folder: whoever said that the variant can be built was wrong.
  */
  fillCommand =
    { packages, folders }:
    let
      folderOf =
        name: folders.${name} or (throw "internal error: the package set has no ${name}, which a plan names");
    in
    replaceStrings (map (name: "@${name}@") packages) (map (name: "${folderOf name}") packages);
}
