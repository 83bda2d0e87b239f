# The packages that `depends` may name, except Torch: headers, and TVM FFI. A kernel's flake adds more with an overlay.
{ lib, toolkit, collectHeaders, fetchArchive, fetchWheel, tvmFfi }:
let
  inherit (builtins) concatMap;

  table = lib.config.dependencies.table.depends;
  # Changes of headers, each with the reason.
  edits = concatMap (backend: backend.dependencies.edits or [ ]) (builtins.attrValues lib.backends.all);
  # Some names have a different release for each toolkit. Package sets that belong to no variant accept any of the
  # releases.
  isForToolkit = pin: toolkit == null || pin.toolkit or toolkit == toolkit;
  packageOf =
    name: pin:
    collectHeaders {
      inherit name;
      inherit (pin) folders;
      edits = builtins.foldl' (all: each: if builtins.elem name each.names then all // each.edits else all) { } edits;
      source = (if pin ? project then fetchWheel else fetchArchive) (
        removeAttrs pin [ "folders" "toolkit" ]
      );
    };
in
builtins.listToAttrs (
  concatMap (
    name:
    map (pin: {
      inherit name;
      value = packageOf name pin;
    }) (builtins.filter isForToolkit (table.${name}.pins or [ ]))
  ) (builtins.attrNames table)
)
// { tvm-ffi = tvmFfi; }
