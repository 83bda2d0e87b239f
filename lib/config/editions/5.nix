# Edition 5 is also written with the targets of [torch-noarch] as `cuda_capabilities` and
# `rocm_archs`: a tool that reads it knows them by these names only.
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
      isMeant = key: dashed key != key && schema.sections.${section}.keys ? ${dashed key};
      # Where both are stated, one of them is a mistake.
      old = filter (key: isMeant key && !stated ? ${dashed key}) (attrNames stated);
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
