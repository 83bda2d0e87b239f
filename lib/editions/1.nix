# Edition 1 named the language of a component, not its backend: `cuda` when it
# named none, and `cuda-hipify` for a component that is both CUDA and ROCm.
{
  check,
  general,
  kernel,
  unchanged,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    isAttrs
    listToAttrs
    removeAttrs
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

  split =
    toml: name:
    let
      component = (kernel toml).${name};
    in
    map (backend: {
      name = if backend == "rocm" then "${name}_rocm" else name;
      value = removeAttrs component ([ "language" ] ++ strangers.${backend}) // {
        inherit backend;
      };
    }) backendsOf.${languageOf component};

  isOld =
    toml: name:
    let
      component = (kernel toml).${name};
    in
    isAttrs component
    && !component ? backend
    # Where the backends are listed, a component without one is a mistake.
    && (component ? language || !(general toml) ? backends)
    && elem (languageOf component) (attrNames backendsOf);
in
[
  (
    toml:
    let
      old = filter (isOld toml) (attrNames (kernel toml));
    in
    if old == [ ] then
      unchanged toml
    else
      {
        toml = toml // {
          kernel = removeAttrs (kernel toml) old // listToAttrs (concatMap (split toml) old);
        };
        notes = map (
          name:
          let
            component = (kernel toml).${name};
          in
          {
            edition = 1;
            at = "${check.under "kernel" name}.${if component ? language then "language" else "backend"}";
            found = if component ? language then toJSON component.language else "nothing, which means CUDA";
            want = "the key backend, and a component for each backend";
          }
        ) old;
      }
  )
]
