# Edition 5: another tool spells the targets of [torch-noarch] `cuda_capabilities` and `rocm_archs`.
{
  check,
  edits,
  schema,
  setOrEmpty,
  unchanged,
  ...
}:
let
  inherit (builtins) attrNames filter replaceStrings;

  section = "torch-noarch";
  dashed = replaceStrings [ "_" ] [ "-" ];
in
[
  (
    toml:
    let
      stated = setOrEmpty (toml.${section} or { });
      isOldSpelling = key: dashed key != key && schema.sections.${section}.keys ? ${dashed key};
      # If both spellings are present, one is a mistake, which the later check reports.
      old = filter (key: isOldSpelling key && !stated ? ${dashed key}) (attrNames stated);
      at = key: [
        section
        key
      ];
    in
    if old == [ ] then
      unchanged
    else
      {
        edits = map (key: edits.moveKey (at key) (at (dashed key))) old;
        notes = map (key: {
          edition = 5;
          at = check.appendKey section key;
          found = check.showValue stated.${key};
          want = dashed key;
        }) old;
      }
  )
]
