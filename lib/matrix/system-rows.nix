# The rows of the matrix, split into one row for each system.
{ values, matrix, ... }:
let
  inherit (builtins)
    all
    any
    concatMap
    filter
    ;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) groupInOrder;
  inherit (matrix.names) nameCompute nameTorchBuild;
  inherit (matrix.origins) listHosts;
  inherit (matrix.ownWheel) readWheel;
in
{
  /**
    The rows of a matrix with one row for each system, in the order of the matrix.

    Type: listSystemRows :: [Row] -> [SystemRow]
  */
  listSystemRows = concatMap (
    row:
    map (
      system:
      let
        parts = {
          inherit system;
          inherit (row) torch backend toolkit;
          ptxas = row.ptxas or null;
        };
        compute = nameCompute { inherit (row) backend toolkit; };
        wheelOfRow = optionalAttrs (row ? wheel) { wheel = readWheel row; };
      in
      parts
      // wheelOfRow
      // {
        inherit (row) bundle;
        inherit compute;
        hosts = listHosts (parts // wheelOfRow);
        torchBuild = nameTorchBuild (wheelOfRow // { inherit (row) torch; inherit compute; });
      }
    ) row.systems
  );

  /**
    The rows whose version of Torch the matrix has for every backend with a toolkit; all rows if there
    is no such version. Most users do not yet have a Torch that only some backends support.

    Type: selectCommonRows :: { matrix :: [Row]; } -> [SystemRow] -> [SystemRow]
  */
  selectCommonRows =
    { matrix }:
    let
      byBackend = groupInOrder (row: row.backend) (filter (row: row.toolkit != null) matrix);
      isCommon = row: all (any (other: other.torch == row.torch)) byBackend;
    in
    rows:
    let
      common = filter isCommon rows;
    in
    if common == [ ] then rows else common;
}
