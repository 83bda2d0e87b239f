# Edition 4: capabilities and architectures could be listed once for the whole kernel.
{ components, edits, explain, optional, optionals, table, ... }:
let
  inherit (builtins) attrNames elemAt filter isAttrs length;

  move =
    { backend, key, newKey }:
    toml:
    let
      from = [ "general" backend key ];
      lacksTargets = value: isAttrs value && !value ? ${newKey};
      needsTargets = _: component: lacksTargets component && component.backend or null == backend;
      places =
        map (name: [ "kernel" name newKey ]) (components needsTargets toml)
        ++ optional (lacksTargets (toml.torch-noarch or null)) [ "torch-noarch" newKey ];
      last = elemAt places (length places - 1);
    in
    optionals (toml ? general.${backend}.${key}) (
      # Copy the key to all places but the last, and move it to the last, so that its comments move along.
      map (edits.copyKey from) (filter (place: place != last) places)
      ++ [
        (explain "${newKey} in each component, or in [torch-noarch]" (
          if places == [ ] then edits.removeKey from else edits.moveKey from last
        ))
      ]
      # Remove the section if it has no other keys.
      ++ optional (attrNames toml.general.${backend} == [ key ]) (edits.removeKey [ "general" backend ])
    );
in
map move table.targets
