# Edition 4 could list capabilities and architectures once for the whole kernel.
{
  general,
  table,
  unchanged,
  ...
}:
let
  inherit (builtins)
    isAttrs
    mapAttrs
    removeAttrs
    toJSON
    ;

  move =
    {
      backend,
      key,
      newKey,
    }:
    toml:
    let
      part = table ((general toml).${backend} or { });
      targets = {
        ${newKey} = part.${key};
      };
      add =
        component:
        if isAttrs component && component.backend or null == backend then targets // component else component;
      kernel = if isAttrs (toml.kernel or null) then { kernel = mapAttrs (_: add) toml.kernel; } else { };
      noarch =
        if isAttrs (toml.torch-noarch or null) then { torch-noarch = targets // toml.torch-noarch; } else { };
    in
    if !part ? ${key} then
      unchanged toml
    else
      {
        toml =
          toml
          // kernel
          // noarch
          // {
            general = general toml // {
              ${backend} = removeAttrs part [ key ];
            };
          };
        notes = [
          {
            edition = 4;
            at = "general.${backend}.${key}";
            found = toJSON part.${key};
            want = "${newKey} in each component, or in [torch-noarch]";
          }
        ];
      };
in
[
  (move {
    backend = "cuda";
    key = "capabilities";
    newKey = "cuda-capabilities";
  })
  (move {
    backend = "rocm";
    key = "archs";
    newKey = "rocm-archs";
  })
]
