# Edition 1: a component had `language` instead of `backend`. Its default was `cuda`, and
# `cuda-hipify` made a component for both CUDA and ROCm.
{ components, edits, explain, explainAbsent, optional, table, ... }:
let
  inherit (builtins) elem filter;

  inherit (table) foreignKeys languages;

  languageOf = component: component.language or "cuda";
  isForTwo = component: languageOf component == "cuda-hipify";
  rocmName = name: "${name}_rocm";

  # The edits that give a component its backend.
  setBackend =
    component: name: backend:
    let
      at = key: [ "kernel" name key ];
      want = "the key backend, and a component for each backend";
    in
    optional (component ? language) (explain want (edits.moveKey (at "language") (at "backend")))
    ++ optional (component.language or null != backend) (
      (if component ? language then edit: edit else explainAbsent "nothing, which means CUDA" want) (
        edits.setKey (at "backend") backend
      )
    )
    ++ map (
      key:
      (if isForTwo component then edit: edit else explain "no such key in a component for ${backend}") (
        edits.removeKey (at key)
      )
    ) (filter (key: component ? ${key}) foreignKeys.${backend});

  editsOf =
    toml: name:
    let
      component = toml.kernel.${name};
      at = name: [ "kernel" name ];
    in
    if isForTwo component then
      [ (edits.copyKey (at name) (at (rocmName name))) ]
      ++ setBackend component name "cuda"
      ++ map (edit: removeAttrs edit [ "notes" ]) (setBackend component (rocmName name) "rocm")
    else
      setBackend component name (languageOf component);

  isOld =
    toml: name: component:
    !component ? backend
    # If general.backends is present, the file is newer, and a component without `backend` is a mistake.
    && (component ? language || !toml ? general.backends)
    && elem (languageOf component) languages
    && !(isForTwo component && toml ? kernel.${rocmName name});
in
[
  (toml: builtins.concatMap (editsOf toml) (components (isOld toml) toml))
]
