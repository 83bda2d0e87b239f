# The variants that a kernel does not have, with the reasons: its bounds, or its list of Torch builds.
{ values, messages, backends, config, matrix, ... }:
let
  inherit (builtins)
    all
    attrValues
    concatMap
    concatStringsSep
    elem
    filter
    groupBy
    head
    length
    toJSON
    ;
  inherit (values) versions;
  inherit (values.lists) unique;
  inherit (messages.check) listChoices;
  inherit (config) schema;
  inherit (matrix.bounds) listBounds showBound;
  inherit (matrix.compiledVariant) findStableAbi hasCompiledCode;
  inherit (matrix.names) nameNoarchVariant nameVariant;
  inherit (matrix.systemRows) listSystemRows;
  inherit (matrix.torchBuilds) default fromRegistries readRows;

  # The name of the variant that a kernel has for a row, if it has one.
  nameOf =
    config:
    { torch, backend, toolkit, system, ... }:
    if hasCompiledCode config backend then
      nameVariant {
        inherit
          torch
          backend
          toolkit
          system
          ;
        stableAbi = findStableAbi config backend;
        framework = config.framework.name;
      }
    else
      nameNoarchVariant { inherit backend; };

  # "Torch 2.9, 2.10"
  showReleases =
    releases:
    "${(head releases).name} ${
      concatStringsSep ", " (
        versions.ascending (unique (map (release: versions.majorMinor release.version) releases))
      )
    }";
  showTorch =
    rows:
    showReleases (
      map (row: {
        name = "Torch";
        version = row.torch;
      }) rows
    );

  reasonsOfBackend =
    {
      config,
      matrix,
      variants,
      chosenSystems,
    }:
    backend:
    let
      isHere = row: row.backend == backend && elem row.system chosenSystems;
      here = "${backend} on ${concatStringsSep ", " chosenSystems}";
      known = filter isHere (listSystemRows default);
      selected = filter isHere (listSystemRows matrix);
      namesHere = map (variant: variant.name) (filter isHere variants);
      lacking = filter (row: !elem (nameOf config row) namesHere);
      makeReason =
        rows: reason:
        reason
        // {
          inherit backend;
          names = unique (map (nameOf config) rows);
        };

      selectedNames = map (nameOf config) selected;
      isSelected = row: elem (nameOf config row) selectedNames;
      unselected = lacking (filter (row: !isSelected row) known);
      isListOfRegistries = matrix == readRows { torchVersions = _: fromRegistries; };
      # The hosts for which `fromRegistries` leaves a row out.
      hostsOf =
        row: if isListOfRegistries then concatStringsSep ", " (filter (host: host != "registry") row.hosts) else "";
      reasonOfList =
        rows:
        makeReason rows {
          at = "torchVersions";
          found = "torchVersions in flake.nix does not select ${showTorch rows} for ${here}${
            if isListOfRegistries then
              "; fromRegistries leaves out builds with files from ${hostsOf (head rows)}"
            else
              ""
          }";
          want = "a build of Torch for ${here}";
          fix = "let torchVersions select one; without torchVersions, all known builds are";
        };

      bounds = listBounds config backend;
      failing = row: filter (bound: !bound.admits row) bounds;
      placesOf = row: concatStringsSep ", " (map (bound: bound.at) (failing row));
      excluded = lacking (filter (row: failing row != [ ]) selected);
      reasonOfBounds =
        rows:
        let
          failed = failing (head rows);
        in
        makeReason rows {
          at = placesOf (head rows);
          found = concatStringsSep " and " (
            map (bound: "${showBound bound} leaves out ${showReleases (map bound.release rows)}") failed
          );
          want = "a build of Torch within the bounds";
          fix = "widen the ${if length failed == 1 then "bound" else "bounds"}";
        };
      grouped = keyOf: rows: attrValues (groupBy keyOf rows);
    in
    if !elem backend config.general.backends then
      [
        (makeReason [ ] {
          at = "general.backends";
          found = "general.backends in build.toml does not list ${backend}";
          want = listChoices config.general.backends;
          fix = "add it there, with a component";
        })
      ]
    else if known ++ selected == [ ] then
      [
        (makeReason [ ] {
          at = "torchVersions";
          found = "there is no Torch for ${here}";
          want = listChoices (
            unique (map (row: row.system) (filter (row: row.backend == backend) (listSystemRows default)))
          );
          fix = "build for a system that has one, or add a build through torchVersions";
        })
      ]
    else
      map reasonOfBounds (grouped placesOf excluded)
      ++ map reasonOfList (grouped hostsOf unselected);

in
{  /**
    The variants that a kernel does not have on a system, by reasons; `names` are their names. A backend's first
    reason is the nearest one: its bounds come before the list of Torch builds.

    Type: listReasons :: { config :: Config; matrix :: [Row]; variants :: [Variant]; } -> String -> [{
      backend :: String; names :: [String]; at, found, want, fix :: String; }]
  */
  listReasons =
    { config, matrix, variants }:
    system:
    concatMap (reasonsOfBackend {
      inherit config matrix variants;
      chosenSystems = [ system ];
    }) schema.backends;

  /**
    Warnings about backends for which the bounds of a kernel leave no variant on any system. Its flake may select
    builds of Torch for some backends only, on purpose.

    Type: listMissingBackends :: { config :: Config; matrix :: [Row]; variants :: [Variant]; } -> [Problem]
  */
  listMissingBackends =
    { variants, ... }@args:
    let
      reasonOf =
        backend:
        head (reasonsOfBackend (args // { chosenSystems = backends.all.${backend}.systems; }) backend);
      isMissing =
        backend:
        all (variant: variant.backend != backend) variants && (reasonOf backend).at != "torchVersions";
    in
    map (
      backend:
      let
        reason = reasonOf backend;
      in
      {
        inherit (reason) at want;
        found = "no variant for ${toJSON backend}: ${reason.found}";
        fix = "${reason.fix}, or take ${toJSON backend} out of general.backends";
      }
    ) (filter isMissing args.config.general.backends);
}
