# Edition 4 could list capabilities and architectures once for the whole kernel.
{
  check,
  edits,
  general,
  kernel,
  table,
  unchanged,
  ...
}:
let
  inherit (builtins)
    attrNames
    filter
    isAttrs
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
      from = [
        "general"
        backend
        key
      ];
      lacksTargets = value: isAttrs value && !value ? ${newKey};
      takes =
        name:
        let
          component = (kernel toml).${name};
        in
        lacksTargets component && component.backend or null == backend;
      places =
        map (name: [
          "kernel"
          name
          newKey
        ]) (filter takes (attrNames (kernel toml)))
        ++ (
          if lacksTargets (toml.torch-noarch or null) then
            [
              [
                "torch-noarch"
                newKey
              ]
            ]
          else
            [ ]
        );
    in
    if !part ? ${key} then
      unchanged
    else
      {
        edits =
          map (edits.copy from) places
          ++ [
            (
              # A section that said nothing else goes with it.
              if attrNames part == [ key ] then
                edits.remove [
                  "general"
                  backend
                ]
              else
                edits.remove from
            )
          ];
        notes = [
          {
            edition = 4;
            at = "general.${backend}.${key}";
            found = check.show part.${key};
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
