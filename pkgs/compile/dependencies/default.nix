# What `depends` may name besides Torch: headers, and TVM FFI. A kernel's own flake adds to it with an overlay.
{
  toolkit,
  collectHeaders,
  fetchArchive,
  fetchWheel,
  tvmFfi,
}:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    foldl'
    fromJSON
    listToAttrs
    readFile
    ;

  pins = fromJSON (readFile ./pins.json);
  # Changes of headers, each with the reason.
  edits = fromJSON (readFile ./edits.json);
  # Some names are another release for each toolkit. Outside of variants, any stands for the name.
  isForToolkit = pin: toolkit == null || pin.toolkit or toolkit == toolkit;
  packageOf =
    name: pin:
    collectHeaders {
      inherit name;
      inherit (pin) folders;
      edits = foldl' (all: each: if elem name each.names then all // each.edits else all) { } edits;
      source = (if pin ? project then fetchWheel else fetchArchive) (
        removeAttrs pin [
          "folders"
          "toolkit"
        ]
      );
    };
in
listToAttrs (
  concatMap (
    name:
    map (pin: {
      inherit name;
      value = packageOf name pin;
    }) (filter isForToolkit pins.${name})
  ) (attrNames pins)
)
// {
  tvm-ffi = tvmFfi;
}
