# Upgrades a build.toml of an older edition to the newest one. Keys that cannot be upgraded stay, and
# the later check reports them as unknown.
#
# A step is one change between two editions: a function from the file to the edits (edits.nix) that it needs. An edit
# may have `notes` for the author, with `want`, and with `found` if the file does not have the part as such. A file
# that states the newest edition gets the steps of that edition only.
{ values, messages, config, ... }:
let
  inherit (builtins) attrNames concatMap filter foldl' fromJSON genList isAttrs isInt readFile;
  inherit (values.attributes) setOrEmpty;
  inherit (values.lists) optional optionals;
  inherit (messages) check;
  inherit (config) edits schema;
  inherit (config.edits) applyEdits setKey valueAt;

  # The warning of a note of an edit.
  describeNote =
    edition: toml: edit: note:
    let
      path = edit.from or edit.path;
      found = note.found or (check.showValue (valueAt path toml));
    in
    {
      at = foldl' check.appendKey "" path;
      found = "${found}, as edition ${toString edition} has it";
      inherit (note) want;
      fix = "run `kernel-builder update-build`";
    };

  # Names of old editions. `universalBackends` are those that `universal` stood for: old files were not written for
  # newer ones. `foreignKeys` are keys of other backends, which a component of a backend must not have.
  table = fromJSON (readFile ./editions.json);

  # The arguments of the files of editions.
  arguments = {
    inherit edits explain explainAbsent schema optional optionals table;
    # The names of the components that `isWanted` admits.
    components =
      isWanted: toml:
      let
        kernel = setOrEmpty (toml.kernel or { });
      in
      filter (name: isAttrs kernel.${name} && isWanted name kernel.${name}) (attrNames kernel);
    isTableOrAbsent = toml: name: isAttrs (toml.${name} or { });
  };
  explain = want: edit: edit // { notes = [ { inherit want; } ]; };
  # For a part that the file does not have as such.
  explainAbsent = found: want: edit: edit // { notes = [ { inherit found want; } ]; };

  steps = concatMap stepsOf (genList (index: index + 1) schema.edition);
  stepsOf =
    edition:
    map (step: { inherit edition step; }) (import (./. + "/${toString edition}.nix") arguments);

  stateEdition = setKey [ "general" "edition" ] schema.edition;

  # The notes show the file as the step finds it.
  applyStep =
    state:
    { edition, step }:
    let
      changes = step state.toml;
    in
    {
      toml = applyEdits changes state.toml;
      edits = state.edits ++ map (edit: removeAttrs edit [ "notes" ]) changes;
      warnings =
        state.warnings
        ++ concatMap (edit: map (describeNote edition state.toml edit) (edit.notes or [ ])) changes;
    };

  self = {
    /**
      Upgrade a file to the newest edition. The result has the upgraded file, the edits, and a warning
      for each change. A file that does not state its edition still states none.

      Type: upgradeToml :: AttrSet -> { toml :: AttrSet; edits :: [Edit]; warnings :: [Problem]; }
    */
    upgradeToml =
      toml:
      let
        edition = toml.general.edition or null;
        isOld = isInt edition && edition >= 1 && edition < schema.edition;
        # An unknown number gets no steps; the later check reports it.
        neededSteps =
          if edition == null || isOld then steps else optionals (edition == schema.edition) (stepsOf edition);
        first = {
          inherit edition;
          step = _: optional isOld (explain (toString schema.edition) stateEdition);
        };
      in
      foldl' applyStep { inherit toml; edits = [ ]; warnings = [ ]; } ([ first ] ++ neededSteps);

    /**
      Upgrade a file that is written back. Unlike `upgradeToml`, this also adds the edition to a file
      that has [general] and does not state one.

      Type: rewriteToml :: AttrSet -> { toml :: AttrSet; edits :: [Edit]; warnings :: [Problem]; }
    */
    rewriteToml =
      toml:
      let
        isSilent = isAttrs (toml.general or null) && !toml ? general.edition;
      in
      applyStep (self.upgradeToml toml) {
        edition = null;
        step = _: optional isSilent stateEdition;
      };
  };
in
self
