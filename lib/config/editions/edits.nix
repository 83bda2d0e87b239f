# Edits of a build.toml, as data. The library applies them to read an older file, and
# `kernel-builder update-build` applies the same edits to the file's text.
#
# An edit is `{ action; path; }`, with `value` for `set` and `from` for `move` and `copy`. Paths are
# lists of keys. `set` creates missing tables on its path.
{ values, ... }:
let
  inherit (builtins) foldl' head length removeAttrs tail;
  inherit (values.attributes) setOrEmpty;

  setAt =
    path: value: toml:
    let
      key = head path;
    in
    if path == [ ] then
      value
    else
      setOrEmpty toml // { ${key} = setAt (tail path) value (toml.${key} or { }); };

  removeAt =
    path: toml:
    let
      key = head path;
    in
    if length path == 1 then
      removeAttrs toml [ key ]
    else
      toml // { ${key} = removeAt (tail path) toml.${key}; };

  actions = {
    set = { path, value, ... }: setAt path value;
    remove = { path, ... }: removeAt path;
    copy =
      { path, from, ... }:
      toml:
      setAt path (self.valueAt from toml) toml;
    move =
      { path, from, ... }:
      toml:
      setAt path (self.valueAt from toml) (removeAt from toml);
  };

  self = {
    /**
      Apply edits in order. The paths in `from`, and those of `remove`, must exist.

      # Example

      ```nix
      applyEdits [ { action = "move"; from = [ "a" ]; path = [ "b" "c" ]; } ] { a = 1; }
      => { b.c = 1; }
      ```

      Type: applyEdits :: [Edit] -> AttrSet -> AttrSet
    */
    applyEdits = edits: toml: foldl' (toml: edit: actions.${edit.action} edit toml) toml edits;

    /**
      The value at a path, which must exist.

      Type: valueAt :: [String] -> AttrSet -> a
    */
    valueAt = path: toml: foldl' (value: key: value.${key}) toml path;

    /** `{ action = "set"; … }`. */
    setKey = path: value: { action = "set"; inherit path value; };

    /** `{ action = "remove"; … }`. */
    removeKey = path: { action = "remove"; inherit path; };

    /** `{ action = "move"; … }`. */
    moveKey = from: path: { action = "move"; inherit from path; };

    /** `{ action = "copy"; … }`. */
    copyKey = from: path: { action = "copy"; inherit from path; };
  };
in
self
