# A kernel in a folder, built without flakes.
{ attributes, ... }:
{
  /**
    All buildable variants of the kernel in the folder `root`. What its own flake.nix says (its
    Torch versions, its overlays) holds, as long as this project is the only input of that
    flake; a folder without one is built with the defaults, by `withoutFlake`. `library`
    is the project's library as flakes see it.

    # Type

    ```
    bundleOf :: { library :: AttrSet; system :: String; withoutFlake :: Path -> AttrSet; } -> Path -> Derivation
    ```
  */
  bundleOf =
    {
      library,
      system,
      withoutFlake,
    }:
    root:
    let
      flake = import (root + "/flake.nix");
      inputs = builtins.attrNames (flake.inputs or { });
      isOwn = builtins.pathExists (root + "/flake.nix") && builtins.length inputs == 1;
      outputs = flake.outputs (
        {
          self.outPath = root;
        }
        // attributes.generate inputs (_: { lib = library; })
      );
    in
    (if isOwn then outputs.legacyPackages.${system} else withoutFlake root).bundle;
}
