# Options that only some releases of nvcc have.
values:
let
  inherit (builtins) fromJSON readFile;
  inherit (values.versions) atLeast;

  table = fromJSON (readFile ./nvcc-options.json);
  inherit (fromJSON (readFile ./option-effects.json)) since;

  # The release whose `nvcc --help` counts for a toolkit: the newest that is not newer, or else the oldest.
  helpOf =
    toolkit:
    let
      older = builtins.filter (release: atLeast release toolkit) table.releases;
    in
    if older == [ ] then builtins.head table.releases else builtins.elemAt older (builtins.length older - 1);
in
/**
  Whether nvcc of a toolkit does not have an option (options.nix). It would forward the option to gcc. Options about
  packing are options of `fatbinary`, so packing.nix decides for these.

  Type: isLacking :: String -> Option -> Bool
*/
toolkit:
let
  help = helpOf toolkit;
in
option:
option.option != null
&& option.effect != "packing"
&& (
  if since ? ${option.option} then
    !atLeast since.${option.option} toolkit
  else
    table.options ? ${option.option}.only && !builtins.elem help table.options.${option.option}.only
)
