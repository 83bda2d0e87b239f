# Tests that purely.nix refuses everything impure.
let
  inherit (builtins) listToAttrs tryEval;
  purely = import ./purely.nix { folder = toString ./kernels; };
  gives = text: (tryEval (purely.evaluate text)).success;
  # Whether the library may import a file of a backend.
  importsOf =
    file:
    (tryEval (
      (import ./purely.nix { folder = toString ../..; }).evaluate "import ${toString ../..}/backends/rocm/${file}"
    )).success;
  never = text: { expr = gives text; expected = false; };
in
{
  refused =
    listToAttrs (
      map (name: {
        inherit name;
        value = [
          (map gives [
            "builtins.${name}"
            "__${name}"
            "builtins.builtins.${name}"
            "let inherit (builtins) ${name}; in ${name}"
          ])
          [ false false false false ]
        ];
      }) purely.refused
    )
    // {
      bare = never "derivation";
      searchPath = never "<nixpkgs>";
      importFromOutside = never "import ${toString ./run.nix}";
      importFromBeside = never "import ${toString ./kernels}-beside.nix";
      importOfPackages = [ (map importsOf [ "default.nix" "pkgs/default.nix" ]) [ true false ] ];
      importFromStore = never "builtins.import (builtins.toFile \"a.nix\" \"1\")";
    };
  allowed = [ (purely.evaluate "map (builtins.add 1) [ (builtins.length [ ]) ]") [ 1 ] ];
}
