# Edition 4 could list capabilities and architectures once for the whole kernel.
{
  check,
  edits,
  general,
  kernel,
  optionals,
  setOrEmpty,
  unchanged,
  ...
}:
let
  inherit (builtins)
    attrNames
    elemAt
    filter
    isAttrs
    length
    ;

  move =
    {
      backend,
      key,
      newKey,
    }:
    toml:
    let
      part = setOrEmpty ((general toml).${backend} or { });
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
        ++ optionals (lacksTargets (toml.torch-noarch or null)) [
          [
            "torch-noarch"
            newKey
          ]
        ];
      last = elemAt places (length places - 1);
    in
    if !part ? ${key} then
      unchanged
    else
      {
        # To the last place it is moved, so that comments move with it.
        edits =
          map (edits.copyKey from) (filter (place: place != last) places)
          ++ [ (if places == [ ] then edits.removeKey from else edits.moveKey from last) ]
          # A section that said nothing else goes, too.
          ++ optionals (attrNames part == [ key ]) [ (edits.removeKey [ "general" backend ]) ];
        notes = [
          {
            edition = 4;
            at = "general.${backend}.${key}";
            found = check.showValue part.${key};
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
