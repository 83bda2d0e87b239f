# Options that only some releases of nvcc have.
values:
let
  inherit (builtins) fromJSON readFile;
  inherit (values.lists) optionals;
  inherit (values.versions) atLeast;

  table = fromJSON (readFile ./nvcc-options.json);
  inherit (fromJSON (readFile ./option-effects.json)) since;

  # The releases whose `nvcc --help` counts for a toolkit: its own, or else those before and after it. What one of them
  # has is no reason to leave an option out.
  helpsOf =
    toolkit:
    let
      sorted = builtins.partition (release: atLeast release toolkit) table.releases;
      before = optionals (sorted.right != [ ]) [ (builtins.elemAt sorted.right (builtins.length sorted.right - 1)) ];
      after = optionals (sorted.wrong != [ ]) [ (builtins.head sorted.wrong) ];
    in
    if builtins.elem toolkit before then before else before ++ after;
in
/**
  Whether nvcc of a toolkit does not have an option (options.nix). It would forward the option to gcc. Options about
  packing are options of `fatbinary`, so packing.nix decides for these.

  Type: isLacking :: String -> Option -> Bool
*/
toolkit:
let
  helps = helpsOf toolkit;
in
option:
option.option != null
&& option.effect != "packing"
&& (
  since ? ${option.option} && !atLeast since.${option.option} toolkit
  || table.options ? ${option.option}.only && !builtins.any (help: builtins.elem help table.options.${option.option}.only) helps
)
