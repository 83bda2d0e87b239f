# Upgrades a build.toml of an older edition to the newest one. Keys that cannot be upgraded stay, and
# the later check reports them as unknown.
#
# A step is one change between two editions: a function from the file to a list of changes, each `{ edits; notes; }`
# with the edits (edits.nix) and the notes about them. The list is empty if the file does not need the change. A file
# that states the newest edition gets the steps of that edition only.
{ values, messages, config, ... }:
let
  inherit (builtins) attrNames concatMap filter foldl' isAttrs isInt;
  inherit (values.attributes) setOrEmpty;
  inherit (values.lists) optionals;
  inherit (messages) check;
  inherit (config) edits schema;
  inherit (config.edits) applyEdits setKey;

  # The warning about a part of the file that a step changes.
  makeNote = edition: at: found: want: {
    inherit at want;
    found = "${found}, as edition ${toString edition} has it";
    fix = "run `kernel-builder update-build`";
  };

  generalOf = toml: setOrEmpty (toml.general or { });
  kernelOf = toml: setOrEmpty (toml.kernel or { });

  # The arguments of the steps of an edition.
  argumentsOf = edition: {
    inherit check edits schema optionals setOrEmpty;
    general = generalOf;
    kernel = kernelOf;
    # The names of the components that `isWanted` admits.
    components =
      isWanted: toml:
      filter (name: isAttrs (kernelOf toml).${name} && isWanted name (kernelOf toml).${name}) (
        attrNames (kernelOf toml)
      );
    isTableOrAbsent = toml: name: isAttrs (toml.${name} or { });
    note = makeNote edition;
  };

  steps =
    import ./1.nix (argumentsOf 1)
    ++ import ./2.nix (argumentsOf 2)
    ++ import ./3.nix (argumentsOf 3)
    ++ import ./4.nix (argumentsOf 4)
    ++ newest;
  newest = import ./5.nix (argumentsOf 5);

  stateEdition = setKey [ "general" "edition" ] schema.edition;

  run =
    state: step:
    let
      changes = step state.toml;
      edits = concatMap (change: change.edits) changes;
    in
    {
      toml = applyEdits edits state.toml;
      edits = state.edits ++ edits;
      notes = state.notes ++ concatMap (change: change.notes) changes;
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
        edition = (generalOf toml).edition or null;
        isOld = isInt edition && edition >= 1 && edition < schema.edition;
        # An unknown number gets no steps; the later check reports it.
        neededSteps =
          if edition == null || isOld then steps else optionals (edition == schema.edition) newest;
        initialEdits = optionals isOld [ stateEdition ];
        result = foldl' run {
          toml = applyEdits initialEdits toml;
          edits = initialEdits;
          notes = optionals isOld [
            (makeNote edition "general.edition" (toString edition) (toString schema.edition))
          ];
        } neededSteps;
      in
      { inherit (result) toml edits; warnings = result.notes; };

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
