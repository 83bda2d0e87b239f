# Edition 1 named the language of a component, not its backend: `cuda` when it
# named none, and `cuda-hipify` for a component that is both CUDA and ROCm.
{
  check,
  edits,
  general,
  kernel,
  optionals,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    isAttrs
    toJSON
    ;

  backendsOf = {
    cuda = [ "cuda" ];
    cuda-hipify = [
      "cuda"
      "rocm"
    ];
    metal = [ "metal" ];
  };

  # The targets of the other backend do not belong in a component.
  strangers = {
    cuda = [ "rocm-archs" ];
    metal = [ ];
    rocm = [ "cuda-capabilities" ];
  };

  languageOf = component: component.language or "cuda";
  isForTwo = component: languageOf component == "cuda-hipify";
  rocmName = name: "${name}_rocm";

  strangersIn =
    component: backend: filter (key: component ? ${key}) strangers.${backend};

  # What makes a component in the old form one of a backend.
  nameBackend =
    component: name: backend:
    let
      at = key: [
        "kernel"
        name
        key
      ];
    in
    optionals (component ? language) [ (edits.moveKey (at "language") (at "backend")) ]
    ++ optionals (component.language or null != backend) [ (edits.setKey (at "backend") backend) ]
    ++ map (key: edits.removeKey (at key)) (strangersIn component backend);

  editsOf =
    toml: name:
    let
      component = (kernel toml).${name};
      at = name: [
        "kernel"
        name
      ];
    in
    if isForTwo component then
      [ (edits.copyKey (at name) (at (rocmName name))) ]
      ++ nameBackend component name "cuda"
      ++ nameBackend component (rocmName name) "rocm"
    else
      nameBackend component name (languageOf component);

  notesOf =
    toml: name:
    let
      component = (kernel toml).${name};
      at = check.appendKey "kernel" name;
      lost = optionals (!isForTwo component) (strangersIn component (languageOf component));
    in
    [
      {
        edition = 1;
        at = "${at}.${if component ? language then "language" else "backend"}";
        found = if component ? language then toJSON component.language else "nothing, which means CUDA";
        want = "the key backend, and a component for each backend";
      }
    ]
    ++ map (key: {
      edition = 1;
      at = "${at}.${key}";
      found = check.showValue component.${key};
      want = "no such key in a component for ${languageOf component}";
    }) lost;

  isOld =
    toml: name:
    let
      component = (kernel toml).${name};
    in
    isAttrs component
    && !component ? backend
    # Where the backends are listed, a component without one is a mistake.
    && (component ? language || !(general toml) ? backends)
    && elem (languageOf component) (attrNames backendsOf)
    && !(isForTwo component && (kernel toml) ? ${rocmName name});
in
[
  (
    toml:
    let
      old = filter (isOld toml) (attrNames (kernel toml));
    in
    {
      edits = concatMap (editsOf toml) old;
      notes = concatMap (notesOf toml) old;
    }
  )
]
