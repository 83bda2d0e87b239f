# Placeholders in the words of a plan.
_:
{
  /**
    A text with `@NAME@` replaced by the folder of each name in `packages`. Other text between two `@`
    may be the kernel's own and is not changed.

    # Example

    ```nix
    fillCommand { packages = [ "torch" ]; folders.torch = "/x"; } "-L@torch@/lib"
    => "-L/x/lib"
    ```

    Type: fillCommand :: { packages :: [String]; folders :: { ${package} :: String; }; } -> String -> String

    # Errors

    `folders` lacks a package of the plan, although the variant's availability says that it can be built.
  */
  fillCommand =
    { packages, folders }:
    let
      folderOf =
        name: folders.${name} or (throw "internal error: the package set has no ${name}, which a plan names");
    in
    builtins.replaceStrings (map (name: "@${name}@") packages) (map (name: "${folderOf name}") packages);
}
