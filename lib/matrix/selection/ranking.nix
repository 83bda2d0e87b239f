# Which of several variants is wanted more: the newest one, or one that every machine can have.
{ backends, config, ... }:
let
  inherit (builtins)
    compareVersions
    concatMap
    filter
    head
    sort
    ;
  inherit (config) schema;

  # The order in which backends are preferred for tests.
  preferred = sort (
    a: b: backends.all.${a}.preference < backends.all.${b}.preference
  ) schema.backends;

  isNewer =
    a: b:
    let
      torch = compareVersions a.torch b.torch;
    in
    torch > 0 || (torch == 0 && compareVersions (toString a.toolkit) (toString b.toolkit) > 0);

  selectNewestRow = rows: head (sort isNewer rows);

  # Those first whose sources every machine can have, then by Torch and toolkit.
  isFromRegistries = row: row.hosts == [ "registry" ];
  isWantedMore =
    a: b: if isFromRegistries a == isFromRegistries b then isNewer a b else isFromRegistries a;
in
{
  /**
    Of rows or variants the one with the newest Torch, then the newest toolkit.

    # Type

    ```
    selectNewestRow :: [Row] -> Row
    ```
  */
  inherit selectNewestRow;

  /**
    The one that an author wants most: one whose sources every machine can have, then the newest.

    # Type

    ```
    selectWantedRow :: [Row] -> Row
    ```
  */
  selectWantedRow = rows: head (sort isWantedMore rows);

  /**
    The best variant of each backend on a system, in the order in which backends
    are preferred: of those that can be built the one with the newest Torch, then
    the newest toolkit.

    # Type

    ```
    selectBestVariants :: { variants :: [Variant]; system :: String; } -> [Variant]
    ```
  */
  selectBestVariants =
    { variants, system }:
    let
      here = filter (variant: variant.system == system && variant.problems == [ ]) variants;
      of = backend: filter (variant: variant.backend == backend) here;
    in
    map (backend: selectNewestRow (of backend)) (filter (backend: of backend != [ ]) preferred);

  /**
    Variants in the order in which an author wants them: by preference of backends; within one
    those first whose sources every machine can have, then by Torch and toolkit, newest first.

    # Type

    ```
    sortVariants :: [Variant] -> [Variant]
    ```
  */
  sortVariants =
    variants:
    let
      of = backend: filter (variant: variant.backend == backend) variants;
    in
    concatMap (backend: sort isWantedMore (of backend)) preferred;
}
