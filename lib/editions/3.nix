# Edition 3 had no section for kernels without compiled code: they had no
# framework section, or a [torch] that names no sources.
{
  general,
  kernel,
  schema,
  table,
  unchanged,
  ...
}:
let
  inherit (builtins)
    any
    filter
    isAttrs
    removeAttrs
    ;

  hasOtherFramework =
    toml: any (name: toml ? ${name}) (filter (name: name != "torch") schema.frameworks);

  isBare = toml: !toml ? torch || (isAttrs toml.torch && (toml.torch.src or [ ]) == [ ]);
in
[
  (
    toml:
    let
      torch = table (toml.torch or { });
    in
    if !(general toml) ? backends || hasOtherFramework toml || kernel toml != { } || !isBare toml then
      unchanged toml
    else
      {
        toml = removeAttrs toml [ "torch" ] // {
          torch-noarch = removeAttrs torch [ "src" ];
        };
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
