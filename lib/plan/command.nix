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
  */
  fillCommand =
    { packages, folders }:
    builtins.replaceStrings (map (name: "@${name}@") packages) (map (name: "${folders.${name}}") packages);
}
