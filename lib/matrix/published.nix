# Rows of the matrix in the spelling of published flakes: `torchVersion`, one of `cpu = true`,
# `cudaVersion`, …, and `bundleBuild`. A flake's `torchVersions` function gets rows with both
# spellings, and may return either.
{ values, messages, backends, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatStringsSep
    filter
    head
    intersectAttrs
    isAttrs
    length
    listToAttrs
    mapAttrs
    removeAttrs
    sort
    ;
  inherit (values) versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey showValue;

  # The key that names a row's backend and the version of its toolkit.
  markOf = backend: if backend.toolkit == null then backend.name else "${backend.name}Version";
  marks = listToAttrs (
    map (backend: {
      name = markOf backend;
      value = backend;
    }) (attrValues backends.all)
  );

  readIfVersion = version: if versions.isVersion version then versions.readRelease version else version;
  series = version: if versions.isVersion version then versions.majorMinor (versions.readRelease version) else version;

  # The newest known Torch of a series for this backend and toolkit, because no wheel has the version "2.12".
  torchOf =
    defaults: version: backend: toolkit:
    let
      written = readIfVersion version;
      isMatch =
        row: row.backend == backend && row.toolkit == toolkit && series row.torch == series written;
      known = sort (a: b: builtins.compareVersions a b > 0) (
        map (row: row.torch) (filter isMatch defaults)
      );
    in
    if !versions.isVersion written || versions.majorMinor written != written then
      written
    else if known == [ ] then
      "${written}.0"
    else
      head known;

  # The keys of a returned row that the flake added or changed.
  changedKeys =
    given: row:
    removeAttrs row (filter (name: given.${name} or null == row.${name}) (attrNames row));

  # Our key for each published one.
  publishedKeys = {
    bundleBuild = "bundle";
    ptxasVersion = "ptxas";
    torchVersion = "torch";
    tvmFfiVersion = null;
  }
  // mapAttrs (_: backend: if backend.toolkit == null then "backend" else "toolkit") marks;

  # The published keys of a row that count. `cpu = false` says only that the row is for another backend.
  readPublishedKeys =
    row:
    let
      changed = changedKeys (row.given or { }) (intersectAttrs publishedKeys row);
      isAbsent = name: changed.${name} == null || marks ? ${name} && changed.${name} == false;
    in
    removeAttrs changed (filter isAbsent (attrNames changed));

  # A row with our keys in place of published ones. `tvmFfiVersion` is dropped: one build of a TVM FFI
  # kernel serves every Torch.
  translate =
    {
      defaults,
      row,
      published,
      isNew,
    }:
    let
      markNames = attrNames (intersectAttrs marks published);
      ofMark =
        optionalAttrs (markNames != [ ]) (
          let
            name = head markNames;
            backend = marks.${name};
          in
          {
            backend = backend.name;
            toolkit = if backend.toolkit == null then null else series published.${name};
          }
        );
      withBackend = row // ofMark;
      bundle =
        if published ? bundleBuild then
          { bundle = published.bundleBuild; }
        else
          optionalAttrs isNew { bundle = false; };
      torch =
        optionalAttrs (published ? torchVersion) {
          torch = torchOf defaults published.torchVersion (withBackend.backend or null) (withBackend.toolkit or null);
        };
      ptxas = optionalAttrs (published ? ptxasVersion) { ptxas = published.ptxasVersion; };
    in
    withBackend // bundle // torch // ptxas;
in
{
  /**
    A row with the published keys beside ours.

    Type: writePublishedRow :: Row -> Row
  */
  writePublishedRow =
    row:
    let
      backend = backends.all.${row.backend};
      both = row // {
        torchVersion = series row.torch;
        bundleBuild = row.bundle;
        ${markOf backend} = if backend.toolkit == null then true else row.toolkit;
      };
    in
    # The original row stays in `given`, to find the keys that the flake changes.
    both // { given = both; };

  /**
    A row that a flake returned, with our keys. Published keys count if the flake changed or added
    them. A value that is not a row is returned unchanged, so that `checkRow` reports it.

    Type: readPublishedRow :: { defaults :: [Row]; } -> a -> a
  */
  readPublishedRow =
    { defaults }:
    row:
    let
      published = readPublishedKeys row;
      # Older flakes state the ABI of the C++ library. Torch now has only the new one, which `true` states.
      impliedKeys = optionals (row.cxx11Abi or null == true) [ "cxx11Abi" ];
      ourRow = removeAttrs row ([ "given" ] ++ impliedKeys ++ attrNames publishedKeys);
    in
    if !isAttrs row || published == { } then
      if isAttrs row then ourRow else row
    else
      translate {
        inherit defaults published;
        row = ourRow;
        isNew = !row ? given;
      };

  /**
    Problems of the published keys of a row that a flake returned: it names two backends, a backend without a toolkit
    is not `true`, or one of our keys says the same.

    Type: checkPublishedKeys :: { at :: String; } -> a -> [Problem]
  */
  checkPublishedKeys =
    { at }:
    row:
    let
      published = readPublishedKeys row;
      stated = attrNames (intersectAttrs marks published);
      hasBoth = name: !row ? given && publishedKeys.${name} != null && row ? ${publishedKeys.${name}};
      isUnclear = name: marks.${name}.toolkit == null && published.${name} != true;
    in
    optionals (isAttrs row) (
      optionals (length stated > 1) [
        {
          at = concatStringsSep ", " (map (appendKey at) stated);
          found = "a row for ${toString (length stated)} backends";
          want = "a row for one backend";
          fix = "write a row for each";
        }
      ]
      ++ map (name: {
        at = appendKey at name;
        found = showValue published.${name};
        want = "true, or no such key";
        fix = "write ${name} = true, or delete the key";
      }) (filter isUnclear stated)
      ++ map (name: {
        at = "${appendKey at name}, ${appendKey at publishedKeys.${name}}";
        found = "two spellings of one key";
        want = "one of them";
        fix = "delete the other";
      }) (filter hasBoth (attrNames published))
    );

  /**
    Problems of a row with the keys that the flake wrote: `cudaVersion` in place of `toolkit`. `at` is the row's place.

    Type: rewriteProblems :: { at :: String; row :: a; } -> [Problem] -> [Problem]
  */
  rewriteProblems =
    { at, row }:
    let
      published = if isAttrs row then readPublishedKeys row else { };
      places = listToAttrs (
        map (name: {
          name = appendKey at publishedKeys.${name};
          value = appendKey at name;
        }) (filter (name: publishedKeys.${name} != null) (attrNames published))
      );
    in
    map (problem: problem // { at = places.${problem.at} or problem.at; });
}
