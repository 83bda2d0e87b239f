# The reasons why a kernel has no variant for a row: one record for each row, and the messages about many rows.
#
# A reason is a Problem with `because` in place of `found`: sentences, each a `text`, or texts `before` and `after` the
# `release` of the row that it is about. Messages combine reasons that differ only in their releases. Its `kind` says who
# leaves the row out: the `bounds` or the `backends` of build.toml, or the `list` of builds of Torch.
{ values, messages, config, matrix, ... }:
let
  inherit (builtins) all attrValues concatMap concatStringsSep elem elemAt filter genList groupBy;
  inherit (builtins) head length partition toJSON;
  inherit (values) versions;
  inherit (values.lists) optionals unique;
  inherit (messages.check) listChoices;
  inherit (config) schema;
  inherit (matrix.bounds) showBound;

  # "Torch 2.9, 2.10"
  showReleases =
    releases:
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
          first = head same;
        in
        first.text or "${first.before}${showReleases (map (each: each.release) same)}${first.after}";
    in
    concatStringsSep " and " (genList sentence (length (head reasons).because));
  textOf =
    { excluded, ... }:
    concatStringsSep " " ([ excluded.at ] ++ map (each: each.text or each.after) excluded.because);

  # Excluded rows of a backend, grouped by reasons. The nearest reason is first: bounds come before the list of builds.
  groupReasons =
    rows:
    let
      byList = partition (row: row.excluded.kind == "list") (filter (row: row ? excluded) rows);
    in
    map
      (group: {
        inherit (head group) backend;
        inherit ((head group).excluded) kind at want fix;
        names = unique (map (row: row.name) group);
        found = showReasons (map (row: row.excluded) group);
      })
      (concatMap (rows: attrValues (groupBy textOf rows)) [ byList.wrong byList.right ]);

  self = {
    /**
      The reason for a row outside of `bounds`.

      Type: excludeByBounds :: Row -> [Bound] -> Reason
    */
    excludeByBounds = row: bounds: {
      kind = "bounds";
      at = concatStringsSep ", " (map (bound: bound.at) bounds);
      because = map (bound: {
        before = "${showBound bound} leaves out ";
        release = bound.release row;
        after = "";
      }) bounds;
      want = "a build of Torch within the bounds";
      fix = "widen the ${if length bounds == 1 then "bound" else "bounds"}";
    };

    /**
      The reason for a known row that a flake's `torchVersions` does not select.

      Type: excludeUnselectedRow :: Bool -> Row -> Reason
    */
    excludeUnselectedRow =
      isListOfRegistries: row:
      let
        place = "${row.backend} on ${row.system}";
        # The hosts for which `fromRegistries` leaves the row out.
        hosts = concatStringsSep ", " (filter (host: host != "registry") row.hosts);
      in
      {
        kind = "list";
        at = "torchVersions";
        because = [
          {
            before = "torchVersions in flake.nix does not select ";
            release = { name = "Torch"; version = row.torch; };
            after = " for ${place}${
              if isListOfRegistries then "; fromRegistries leaves out builds with files from ${hosts}" else ""
            }";
          }
        ];
        want = "a build of Torch for ${place}";
        fix = "let torchVersions select one; without torchVersions, all known builds are";
      };

    /**
      The reason for the rows of a backend that the kernel does not have.

      Type: excludeBackend :: Config -> String -> Reason
    */
    excludeBackend = config: backend: {
      kind = "backends";
      at = "general.backends";
      because = [ { text = "general.backends in build.toml does not list ${backend}"; } ];
      want = listChoices config.general.backends;
      fix = "add it there, with a component";
    };

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
            reasonWithoutRow = { inherit backend; names = [ ]; };
          in
          if !elem backend config.general.backends then
            let
              reason = self.excludeBackend config backend;
            in
            [ (reasonWithoutRow // removeAttrs reason [ "because" ] // { found = showReasons [ reason ]; }) ]
          else if onSystem == [ ] then
            [
              (
                reasonWithoutRow
                // {
                  kind = "list";
                  at = "torchVersions";
                  found = "there is no Torch for ${backend} on ${system}";
                  want = listChoices (unique (map (row: row.system) ofBackend));
                  fix = "build for a system that has one, or add a build through torchVersions";
                }
              )
            ]
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
        optionals (ofBackend != [ ] && all (row: row ? excluded) ofBackend && reason.kind != "list") [
          {
            inherit (reason) at want;
            found = "no variant for ${toJSON backend}: ${reason.found}";
            fix = "${reason.fix}, or take ${toJSON backend} out of general.backends";
          }
        ]
      ) config.general.backends;
  };
in
self
