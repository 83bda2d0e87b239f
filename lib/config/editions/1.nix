# Edition 1: a component had `language` instead of `backend`. Its default was `cuda`, and
# `cuda-hipify` made a component for both CUDA and ROCm.
{ check, components, edits, general, kernel, note, optionals, ... }:
let
  inherit (builtins) attrNames elem filter toJSON;

  backendsOf = {
    cuda = [ "cuda" ];
    cuda-hipify = [ "cuda" "rocm" ];
    metal = [ "metal" ];
  };

  # Keys of other backends, which a component of this backend must not have.
  foreignKeys = {
    cuda = [ "rocm-archs" ];
    metal = [ ];
    rocm = [ "cuda-capabilities" ];
  };

  languageOf = component: component.language or "cuda";
  isForTwo = component: languageOf component == "cuda-hipify";
  rocmName = name: "${name}_rocm";

  foreignKeysIn =
    component: backend: filter (key: component ? ${key}) foreignKeys.${backend};

  # The edits that give a component its backend.
  setBackend =
    component: name: backend:
    let
      at = key: [ "kernel" name key ];
    in
    optionals (component ? language) [ (edits.moveKey (at "language") (at "backend")) ]
    ++ optionals (component.language or null != backend) [ (edits.setKey (at "backend") backend) ]
    ++ map (key: edits.removeKey (at key)) (foreignKeysIn component backend);

  editsOf =
    toml: name:
    let
      component = (kernel toml).${name};
      at = name: [ "kernel" name ];
    in
    if isForTwo component then
      [ (edits.copyKey (at name) (at (rocmName name))) ]
      ++ setBackend component name "cuda"
      ++ setBackend component (rocmName name) "rocm"
    else
      setBackend component name (languageOf component);

  notesOf =
    toml: name:
    let
      component = (kernel toml).${name};
      at = check.appendKey "kernel" name;
      removedKeys = optionals (!isForTwo component) (foreignKeysIn component (languageOf component));
    in
    [
      (note "${at}.${if component ? language then "language" else "backend"}"
        (if component ? language then toJSON component.language else "nothing, which means CUDA")
        "the key backend, and a component for each backend"
      )
    ]
    ++ map (
      key:
      note "${at}.${key}" (check.showValue component.${key})
        "no such key in a component for ${languageOf component}"
    ) removedKeys;

  isOld =
    toml: name: component:
    !component ? backend
    # If general.backends is present, the file is newer, and a component without `backend` is a mistake.
    && (component ? language || !(general toml) ? backends)
    && elem (languageOf component) (attrNames backendsOf)
    && !(isForTwo component && (kernel toml) ? ${rocmName name});
in
[
  (
    toml:
    map (name: {
      edits = editsOf toml name;
      notes = notesOf toml name;
    }) (components (isOld toml) toml)
  )
]
