# Edition 5: another tool spells the targets of [torch-noarch] `cuda_capabilities` and `rocm_archs`.
{ edits, explain, schema, ... }:
let
  section = "torch-noarch";
  underscored = builtins.replaceStrings [ "-" ] [ "_" ];
in
[
  (
    toml:
    let
      at = key: [ section key ];
      # If both spellings are present, one is a mistake, which the later check reports.
      isOld = key: toml ? ${section}.${underscored key} && !toml ? ${section}.${key};
    in
    map (key: explain key (edits.moveKey (at (underscored key)) (at key))) (
      builtins.filter isOld (builtins.attrNames schema.sections.${section}.keys)
    )
  )
]
