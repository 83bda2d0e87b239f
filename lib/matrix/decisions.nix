# Decides which rows of the matrix a kernel has variants for. Each row gets its variant, or the reason why it has none:
# nothing else leaves out variants. (Whether a package set can build a variant is decided in lib/outputs/variant/obstacles.nix.)
#
# Kernels without compiled code have one variant for each backend. Kernels on Torch's stable ABI, or on a framework
# that does not use Torch, have one for each toolkit. The rows that such a variant serves all have it.
{ values, config, matrix, ... }:
let
  inherit (builtins) concatMap elem filter groupBy head listToAttrs tail;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) groupInOrder;
  inherit (config) schema;
  inherit (matrix.bounds) listBounds;
  inherit (matrix.exclusions) excludeBackend excludeByBounds excludeUnselectedRow;
  inherit (matrix.origins) hasTorchInRegistries;
  inherit (matrix.ranking) sortWantedRows;
  inherit (matrix.torchBuilds) knownRows registryRows selectCommonRows;
  inherit (matrix.variants) findStableAbi hasCompiledCode makeVariant nameRowVariant;

  # The rows that a variant can be built with, of the rows that it serves, best first.
  rankRows =
    config: selectCommon: backend: rows:
    let
      # A variant is compiled with a Torch that bundles have, if there is any.
      bundled = filter (row: row.bundle) rows;
      preferred = if bundled == [ ] then rows else bundled;
      released = filter (row: !row ? pre) rows;
    in
    if !hasCompiledCode config backend then
      # The build only imports Torch, so it prefers a Torch from package registries.
      sortWantedRows (selectCommon (if released == [ ] then rows else released))
    else if findStableAbi config backend != null || !config.framework.isOfTorch then
      # TORCH_TARGET_VERSION makes the objects of all Torch releases the same in meaning.
      sortWantedRows preferred
    else
      [ (head rows) ];

  # Other releases are for machines that lack a wheel. Whoever lacks one of a vendor's server lacks all of them.
  makeRankedVariant =
    config: rows:
    let
      others = filter (row: row ? wheel || hasTorchInRegistries row) (tail rows);
      choices = map (makeVariant config) ([ (head rows) ] ++ others);
    in
    head choices // optionalAttrs (others != [ ]) { inherit choices; };
in
{
  /**
    Decide for all rows of the default matrix and of the kernel's own (`matrix`) whether the kernel has a variant for
    them. A decision is a row with the `name` of its variant, and `variant`, or `excluded`: the reason, as a Problem
    with `because` in place of `found`. `variants` are all variants, by backend, in the order of the matrix. A variant that
    several rows can build has `choices`: what it is with each of them, best first.

    Type: decideRows :: { config :: Config; matrix :: [Row]; } -> { rows :: [Decision]; variants :: [Variant]; }
  */
  decideRows =
    { config, matrix }:
    let
      # The list of `fromRegistries`.
      isListOfRegistries = matrix == registryRows;
      rank = rankRows config (selectCommonRows matrix);
      withName = row: row // { name = nameRowVariant config row; };
      keyOf = row: "${row.name} ${row.system}";
      buildOf = row: "${row.torch} ${row.compute} ${row.system}";

      decideBackend =
        backend:
        let
          rowsOf = rows: filter (row: row.backend == backend) rows;
          isListed = elem backend config.general.backends;
          matrixRows = map withName (rowsOf matrix);
          matrixBuilds = groupBy buildOf matrixRows;
          otherRows = filter (row: !matrixBuilds ? ${buildOf row}) (map withName (rowsOf knownRows));

          bounds = listBounds config backend;
          failedBounds = row: filter (bound: !bound.admits row) bounds;
          served = groupInOrder keyOf (filter (row: isListed && failedBounds row == [ ]) matrixRows);
          variants = map (rows: makeRankedVariant config (rank backend rows)) served;
          variantOf = listToAttrs (map (variant: { name = keyOf variant; value = variant; }) variants);
          decide =
            exclude: row:
            if variantOf ? ${keyOf row} then
              row // { variant = variantOf.${keyOf row}; }
            else
              row // { excluded = if isListed then exclude row else excludeBackend config backend; };
        in
        {
          inherit variants;
          rows =
            map (decide (row: excludeByBounds row (failedBounds row))) matrixRows
            ++ map (decide (excludeUnselectedRow isListOfRegistries)) otherRows;
        };
      decided = map decideBackend schema.backends;
    in
    {
      rows = concatMap (each: each.rows) decided;
      variants = concatMap (each: each.variants) decided;
    };
}
