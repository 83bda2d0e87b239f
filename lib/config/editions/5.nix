# Edition 5: another tool spells the targets of [torch-noarch] `cuda_capabilities` and `rocm_archs`.
{ edits, explain, schema, setOrEmpty, ... }:
let
  inherit (builtins) attrNames filter replaceStrings;

  section = "torch-noarch";
  dashed = replaceStrings [ "_" ] [ "-" ];
in
[
  (
    toml:
    let
      table = setOrEmpty (toml.${section} or { });
      isOldSpelling = key: dashed key != key && schema.sections.${section}.keys ? ${dashed key};
      # If both spellings are present, one is a mistake, which the later check reports.
      old = filter (key: isOldSpelling key && !table ? ${dashed key}) (attrNames table);
      at = key: [ section key ];
    in
    map (key: explain (dashed key) (edits.moveKey (at key) (at (dashed key)))) old
  )
]
