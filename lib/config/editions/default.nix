# Upgrades a build.toml of an older edition to the newest one. Keys that cannot be upgraded stay, and
# the later check reports them as unknown.
#
# A step is one change between two editions: a function from the file to `{ edits; notes; }`, with the
# edits (edits.nix) and the reasons; both are empty if the file does not need the change. A file that
# states the newest edition gets the steps of that edition only.
{ values, messages, config, ... }:
let
  inherit (builtins)
    foldl'
    isAttrs
    isInt
    ;
  inherit (values.attributes) setOrEmpty;
  inherit (values.lists) optionals;
  inherit (messages) check;
  inherit (config) edits schema;
  inherit (config.edits) applyEdits setKey;

  parts = {
    inherit
      check
      edits
      schema
      optionals
      setOrEmpty
      ;
    general = toml: setOrEmpty (toml.general or { });
    kernel = toml: setOrEmpty (toml.kernel or { });
    isTableOrAbsent = toml: name: isAttrs (toml.${name} or { });
    unchanged = {
      edits = [ ];
      notes = [ ];
    };
  };

  steps =
    import ./1.nix parts
    ++ import ./2.nix parts
    ++ import ./3.nix parts
    ++ import ./4.nix parts
    ++ newest;
  newest = import ./5.nix parts;

  stateEdition = setKey [ "general" "edition" ] schema.edition;

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
      toml = applyEdits result.edits state.toml;
      edits = state.edits ++ result.edits;
      notes = state.notes ++ result.notes;
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
        stated = (parts.general toml).edition or null;
        isOld = isInt stated && stated >= 1 && stated < schema.edition;
        # An unknown number gets no steps; the later check reports it.
        neededSteps =
          if stated == null || isOld then
            steps
          else
            optionals (stated == schema.edition) newest;
        initialEdits = optionals isOld [ stateEdition ];
        result = foldl' run {
          toml = applyEdits initialEdits toml;
          edits = initialEdits;
          notes =
            optionals isOld [
              {
                edition = stated;
                at = "general.edition";
                found = toString stated;
                want = toString schema.edition;
              }
            ];
        } neededSteps;
      in
      {
        inherit (result) toml edits;
        warnings = map warningOf result.notes;
      };

    /**
      Upgrade a file that is written back. Unlike `upgradeToml`, this also adds the edition to a file
      that has [general] and does not state one.

      Type: rewriteToml :: AttrSet -> { toml :: AttrSet; edits :: [Edit]; warnings :: [Problem]; }
    */
    rewriteToml =
      toml:
      let
        upgraded = self.upgradeToml toml;
        finalEdits = optionals (isAttrs (toml.general or null) && !toml.general ? edition) [ stateEdition ];
      in
      upgraded
      // {
        toml = applyEdits finalEdits upgraded.toml;
        edits = upgraded.edits ++ finalEdits;
      };
  };
in
self
