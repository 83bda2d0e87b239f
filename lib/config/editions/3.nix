# Edition 3 had no section for kernels without compiled code: they had no
# framework section, or a [torch] that names no sources.
{
  edits,
  general,
  kernel,
  schema,
  unchanged,
  ...
}:
let
  inherit (builtins)
    any
    filter
    isAttrs
    ;

  hasOtherFramework =
    toml: any (name: toml ? ${name}) (filter (name: name != "torch") schema.frameworks);

  isBare = toml: !toml ? torch || (isAttrs toml.torch && (toml.torch.src or [ ]) == [ ]);
in
[
  (
    toml:
    if !(general toml) ? backends || hasOtherFramework toml || kernel toml != { } || !isBare toml then
      unchanged
    else
      {
        edits =
          if toml ? torch then
            (if toml.torch ? src then [ (edits.remove [ "torch" "src" ]) ] else [ ])
            ++ [ (edits.move [ "torch" ] [ "torch-noarch" ]) ]
          else
            [ (edits.set [ "torch-noarch" ] { }) ];
        notes = [
          {
            edition = 3;
            at = "torch";
            found = if toml ? torch then "a section without src" else "nothing";
            want = "a section [torch-noarch]";
          }
        ];
      }
  )
]
