# The packages that `depends` may name, except Torch: headers, and TVM FFI. A kernel's flake adds more with an overlay.
{
  lib,
  toolkit,
  collectHeaders,
  fetchArchive,
  fetchWheel,
  tvmFfi,
}:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    filter
    foldl'
    listToAttrs
    ;

  table = lib.config.dependencies.table.depends;
  # Changes of headers, each with the reason.
  edits = concatMap (backend: backend.dependencies.edits or [ ]) (attrValues lib.backends.all);
  # Some names have a different release for each toolkit. Package sets that belong to no variant accept any of the
  # releases.
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
    }) (filter isForToolkit (table.${name}.pins or [ ]))
  ) (attrNames table)
)
// {
  tvm-ffi = tvmFfi;
}
