# Rows of the matrix as published flakes spell them: `torchVersion`, one of `cpu = true`,
# `cudaVersion`, …, and `bundleBuild`. The function that a flake gives as `torchVersions` gets
# rows with both spellings, and may return either.
{ values, backends, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    filter
    head
    intersectAttrs
    isAttrs
    isString
    listToAttrs
    mapAttrs
    removeAttrs
    sort
    ;
  inherit (values) versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;

  # What says for which backend a row is, and of which toolkit.
  markOf = backend: if backend.toolkit == null then backend.name else "${backend.name}Version";
  marks = listToAttrs (
    map (backend: {
      name = markOf backend;
      value = backend;
    }) (attrValues backends.all)
  );

  isVersion = value: isString value && versions.isVersion value;
  series = version: if isVersion version then versions.majorMinor version else version;

  # The newest known Torch of a series that is built so: "2.12" is not the name of a wheel.
  torchOf =
    defaults: written: backend: toolkit:
    let
      isMeant =
        row: row.backend == backend && row.toolkit == toolkit && series row.torch == series written;
      known = sort (a: b: builtins.compareVersions a b > 0) (
        map (row: row.torch) (filter isMeant defaults)
      );
    in
    if !isVersion written || versions.majorMinor written != written then
      written
    else if known == [ ] then
      "${written}.0"
    else
      head known;

  # Those keys of a returned row that were not given so.
  newKeys =
    given: row:
    listToAttrs (
      map (name: {
        inherit name;
        value = row.${name};
      }) (filter (name: given.${name} or null != row.${name}) (attrNames row))
    );

  publishedKeys = {
    bundleBuild = null;
    ptxasVersion = null;
    torchVersion = null;
    tvmFfiVersion = null;
  }
  // mapAttrs (_: _: null) marks;

  # What the published keys of a row mean. `tvmFfiVersion` says that kernels for TVM FFI are
  # built with it, too: here one build of theirs serves for every Torch.
  translate =
    {
      defaults,
      row,
      published,
      isNew,
    }:
    let
      mark = attrNames (intersectAttrs marks published);
      ofMark =
        optionalAttrs (mark != [ ]) (
          let
            name = head mark;
            backend = marks.${name};
          in
          {
            backend = backend.name;
            toolkit = if backend.toolkit == null then null else series published.${name};
          }
        );
      target = row // ofMark;
      bundle =
        if published ? bundleBuild then
          { bundle = published.bundleBuild; }
        else
          optionalAttrs isNew { bundle = false; };
      torch =
        optionalAttrs (published ? torchVersion) {
          torch = torchOf defaults published.torchVersion (target.backend or null) (target.toolkit or null);
        };
      ptxas = optionalAttrs (published ? ptxasVersion) { ptxas = published.ptxasVersion; };
    in
    target // bundle // torch // ptxas;
in
{
  /**
    A row with the published spelling beside ours.

    # Type

    ```
    writePublishedRow :: Row -> Row
    ```
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
    # What was given is kept beside, so that what was changed can be told.
    both // { given = both; };

  /**
    What a flake returned, in our spelling: where it changed a row, the spelling in which it did;
    where it made one, that in which it is written. What is neither is left for the check.

    # Type

    ```
    readPublishedRow :: { defaults :: [Row]; } -> a -> a
    ```
  */
  readPublishedRow =
    { defaults }:
    row:
    let
      given = row.given or { };
      published = newKeys given (intersectAttrs publishedKeys row);
      # There is one ABI of the C++ library left, which older flakes named.
      abi = optionals (row.cxx11Abi or null == true) [ "cxx11Abi" ];
      own = removeAttrs row ([ "given" ] ++ abi ++ attrNames publishedKeys);
    in
    if !isAttrs row || published == { } then
      if isAttrs row then own else row
    else
      translate {
        inherit defaults published;
        row = own;
        isNew = given == { };
      };
}
