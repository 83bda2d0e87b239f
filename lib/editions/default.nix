# Older editions of build.toml, read as the newest one where their meaning is
# plain. What cannot be read stays as it is and is answered as an unknown key.
#
# A step is one change between two editions: a function from the file to
# `{ toml; notes; }`. A step that has nothing to do leaves the file alone and
# says nothing. A file that states the newest edition sees no step at all.
{ check, schema, ... }:
let
  inherit (builtins)
    foldl'
    isAttrs
    isInt
    removeAttrs
    ;

  table = value: if isAttrs value then value else { };

  parts = {
    inherit check schema table;
    general = toml: table (toml.general or { });
    kernel = toml: table (toml.kernel or { });
    unchanged = toml: {
      inherit toml;
      notes = [ ];
    };
  };

  steps =
    import ./1.nix parts
    ++ import ./2.nix parts
    ++ import ./3.nix parts
    ++ import ./4.nix parts;

  warningOf =
    {
      edition,
      at,
      found,
      want,
    }:
    {
      inherit at want;
      found = "${found}, as edition ${toString edition} has it";
      fix = "run `kernel-builder update-build`";
    };

  run =
    state: step:
    let
      result = step state.toml;
    in
    {
      inherit (result) toml;
      notes = state.notes ++ result.notes;
    };
in
{
  /**
    Read a build.toml of any edition as one of the newest.

    # Type

    ```
    upgrade :: AttrSet -> { toml :: AttrSet; warnings :: [Problem]; }
    ```
  */
  upgrade =
    toml:
    let
      stated = (parts.general toml).edition or null;
      isOld = isInt stated && stated >= 1 && stated < schema.edition;
      done = foldl' run {
        # A file that states an old edition is read like one that states none.
        toml = if isOld then toml // { general = removeAttrs toml.general [ "edition" ]; } else toml;
        notes =
          if isOld then
            [
              {
                edition = stated;
                at = "general.edition";
                found = toString stated;
                want = toString schema.edition;
              }
            ]
          else
            [ ];
      } steps;
    in
    if stated != null && !isOld then
      {
        inherit toml;
        warnings = [ ];
      }
    else
      {
        inherit (done) toml;
        warnings = map warningOf done.notes;
      };
}
