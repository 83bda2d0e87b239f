# The reasons why a kernel has no variant for a row: one record for each row, and the messages about many rows.
#
# A reason is a Problem with `because` in place of `found`: sentences, each a `text` that may name `{releases}`, and the
# `release` of the row that it is about. Messages combine reasons that differ only in their releases. Its `kind` says who
# leaves the row out: the `bounds` or the `backends` of build.toml, or the `list` of builds of Torch.
{ values, messages, config, matrix, ... }:
let
  inherit (builtins) all attrValues concatMap concatStringsSep elem elemAt filter genList groupBy;
  inherit (builtins) head length partition replaceStrings;
  inherit (values) versions;
  inherit (values.lists) optional unique;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) listChoices;
  inherit (config) schema;
  inherit (matrix.bounds) showBound;

  problems = readCatalogue ./exclusions.json;
  makeReason =
    kind: problem: because:
    removeAttrs problem [ "found" ] // { inherit kind because; };
  # A reason of one sentence.
  makeSentence = kind: release: problem: makeReason kind problem [ { inherit release; text = problem.found; } ];

  # "Torch 2.9, 2.10"
  showReleases =
    releases:
    if releases == [ ] then
      ""
    else
      "${(head releases).name} ${
        concatStringsSep ", " (
          versions.ascending (unique (map (release: versions.majorMinor release.version) releases))
        )
      }";
  # One text for rows whose reasons differ only in their releases.
  showReasons =
    reasons:
    let
      sentence =
        index:
        let
          same = map (reason: elemAt reason.because index) reasons;
          releases = filter (release: release != null) (map (each: each.release) same);
        in
        replaceStrings [ "{releases}" ] [ (showReleases releases) ] (head same).text;
    in
    concatStringsSep " and " (genList sentence (length (head reasons).because));
  textOf =
    { excluded, ... }:
    concatStringsSep " " ([ excluded.at ] ++ map (each: each.text) excluded.because);

  summarise = backend: names: reasons: {
    inherit backend names;
    inherit (head reasons) kind at want fix;
    found = showReasons reasons;
  };

  # Excluded rows of a backend, grouped by reasons. The nearest reason is first: bounds come before the list of builds.
  groupReasons =
    rows:
    let
      byList = partition (row: row.excluded.kind == "list") (filter (row: row ? excluded) rows);
    in
    map (
      group:
      summarise (head group).backend (unique (map (row: row.name) group)) (map (row: row.excluded) group)
    ) (concatMap (rows: attrValues (groupBy textOf rows)) [ byList.wrong byList.right ]);

  self = {
    /**
      The reason for a row outside of `bounds`.

      Type: excludeByBounds :: Row -> [Bound] -> Reason
    */
    excludeByBounds =
      row: bounds:
      makeReason "bounds" (problems.outside {
        at = concatStringsSep ", " (map (bound: bound.at) bounds);
        bounds = if length bounds == 1 then "bound" else "bounds";
      }) (
        map (bound: {
          text = "${showBound bound} leaves out {releases}";
          release = bound.release row;
        }) bounds
      );

    /**
      The reason for a known row that a flake's `torchVersions` does not select.

      Type: excludeUnselectedRow :: Bool -> Row -> Reason
    */
    excludeUnselectedRow =
      isListOfRegistries: row:
      makeSentence "list" { name = "Torch"; version = row.torch; } (
        (if isListOfRegistries then problems.not-in-registries else problems.unselected) {
          inherit (row) backend system;
          releases = "{releases}";
          # The hosts for which `fromRegistries` leaves the row out.
          hosts = filter (host: host != "registry") row.hosts;
        }
      );

    /**
      The reason for the rows of a backend that the kernel does not have.

      Type: excludeBackend :: Config -> String -> Reason
    */
    excludeBackend =
      config: backend:
      makeSentence "backends" null (
        problems.unlisted { inherit backend; backends = listChoices config.general.backends; }
      );

    /**
      The reasons why a kernel does not have other variants on a system, with the `names` of these variants. A
      backend's first reason is the nearest one.

      Type: listReasons :: { config :: Config; rows :: [Decision]; } -> String -> [{ backend :: String; names :: [String];
        kind, at, found, want, fix :: String; }]
    */
    listReasons =
      { config, rows }:
      system:
      let
        reasonsOf =
          backend:
          let
            ofBackend = filter (row: row.backend == backend) rows;
            onSystem = filter (row: row.system == system) ofBackend;
            withoutRow = reason: [ (summarise backend [ ] [ reason ]) ];
          in
          if !elem backend config.general.backends then
            withoutRow (self.excludeBackend config backend)
          else if onSystem == [ ] then
            withoutRow (
              makeSentence "list" null (
                problems.no-torch {
                  inherit backend system;
                  systems = listChoices (unique (map (row: row.system) ofBackend));
                }
              )
            )
          else
            groupReasons onSystem;
      in
      concatMap reasonsOf schema.backends;

    /**
      Warnings about backends for which the bounds of a kernel leave no variant on any system. Its flake may select
      builds of Torch for some backends only, on purpose.

      Type: listMissingBackends :: { config :: Config; rows :: [Decision]; } -> [Problem]
    */
    listMissingBackends =
      { config, rows }:
      concatMap (
        backend:
        let
          ofBackend = filter (row: row.backend == backend) rows;
          reason = head (groupReasons ofBackend);
        in
        optional (ofBackend != [ ] && all (row: row ? excluded) ofBackend && reason.kind != "list") (
          problems.no-variant { inherit (reason) at want fix found; inherit backend; }
        )
      ) config.general.backends;
  };
in
self
