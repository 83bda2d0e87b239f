# Orders variants, and selects the best ones.
{ values, backends, config, ... }:
let
  inherit (builtins) compareVersions concatMap elemAt filter head length sort;
  inherit (values) versions;
  inherit (values.lists) groupInOrder optionals unique;
  inherit (config) schema;

  # Backends in order of preference for tests.
  preferred = sort (
    a: b: backends.all.${a}.preference < backends.all.${b}.preference
  ) schema.backends;

  isNewer =
    a: b:
    let
      torch = compareVersions a.torch b.torch;
    in
    torch > 0 || (torch == 0 && compareVersions (toString a.toolkit) (toString b.toolkit) > 0);

  # Variants from package registries come first, because every machine can reach registries, and those of pre-releases last.
  rank = row: (if row.hosts == [ "registry" ] then 0 else 1) + (if row ? pre then 2 else 0);
  isWantedMore = a: b: if rank a == rank b then isNewer a b else rank a < rank b;

  # By preference of backends, then as `isBefore` says.
  sortByBackend =
    isBefore: variants:
    concatMap (backend: sort isBefore (filter (variant: variant.backend == backend) variants)) preferred;
in
{
  /**
    Rows in the order in which an author wants them: those from package registries first and pre-releases last, then by
    Torch and toolkit, newest first.

    Type: sortWantedRows :: [Row] -> [Row]
  */
  sortWantedRows = sort isWantedMore;

  /**
    A row of the oldest release of Torch and one of the newest; of equal releases the one that an author wants most.

    Type: selectOutermostRows :: [Row] -> [Row]
  */
  selectOutermostRows =
    rows:
    let
      releases = versions.ascending (unique (map (row: row.torch) rows));
      rowOf = torch: head (sort isWantedMore (filter (row: row.torch == torch) rows));
    in
    map rowOf (unique (optionals (releases != [ ]) [ (head releases) (elemAt releases (length releases - 1)) ]));

  /**
    The best of some variants for each backend, in the order of preference of backends: with the newest
    Torch, and of those with the newest toolkit.

    Type: selectBestVariants :: [Variant] -> [Variant]
  */
  selectBestVariants =
    variants: map head (groupInOrder (variant: variant.backend) (sortByBackend isNewer variants));

  /**
    Variants in the order in which an author wants them: by preference of backends, then variants from
    package registries, then by Torch and toolkit, newest first.

    Type: sortVariants :: [Variant] -> [Variant]
  */
  sortVariants = sortByBackend isWantedMore;
}
