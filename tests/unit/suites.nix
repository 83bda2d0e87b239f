# The unit tests of the library, as data: `STAGE/NAME.nix` holds the cases of the module
# `lib.STAGE.NAME`, as `library: { <symbol>.<case> = [ got wanted ]; }`. The library has its stages,
# and the modules of STAGE beside them. purely.nix imports it. A case is evaluated when its outcome
# is read, so listing their names is cheap.
let
  inherit (builtins)
    attrNames attrValues concatMap concatStringsSep deepSeq elem elemAt filter head isList length listToAttrs
    map match pathExists readDir toJSON tryEval;

  library = (import ./purely.nix { folder = toString ../..; }).import ../../lib;

  # Tested with derivations, in tests/graph, or by all suites together.
  withoutSuite = import ./without-suite.nix;

  stages = filter (stage: pathExists (./. + "/${stage}")) (attrNames library);

  # A suite by the name of its file: the module that it tests, and its cases.
  suites = listToAttrs (
    concatMap (
      stage:
      map (file: {
        name = "${stage}/${file}";
        value = {
          module = "${stage}.${head (match "(.*)\\.nix" file)}";
          symbols = attrNames library.${stage}.${head (match "(.*)\\.nix" file)};
          cases = import (./. + "/${stage}/${file}") (library // library.${stage});
        };
      }) (attrNames (readDir (./. + "/${stage}")))
    ) stages
  );

  # A case is `[ got wanted ]`, or `{ expr; expected; }` where that reads better.
  readCase =
    value:
    if isList value && length value == 2 then
      { expr = head value; expected = elemAt value 1; }
    else if value ? expr && value ? expected then
      value
    else
      null;

  casesBelow =
    path: value:
    if readCase value != null then
      [ { name = concatStringsSep "." path; value = outcome (readCase value); } ]
    else
      concatMap (key: casesBelow (path ++ [ key ]) value.${key}) (attrNames value);

  # `got` is null if the expression throws.
  outcome =
    case:
    let
      result = tryEval (deepSeq case.expr case.expr);
    in
    {
      passed = result.success && result.value == case.expected;
      got = if result.success then toJSON result.value else null;
      want = toJSON case.expected;
    };
  outcomes = cases: listToAttrs (casesBelow [ ] cases);
in
{
  # The outcome of each case, by file and name.
  cases = builtins.mapAttrs (_: suite: outcomes suite.cases) suites // {
    "purity.nix" = outcomes (import ./purity.nix);
  };

  # Public symbols without a case.
  untested = concatMap (
    suite:
    map (symbol: "${suite.module}.${symbol}") (filter (symbol: !suite.cases ? ${symbol}) suite.symbols)
  ) (attrValues suites);

  # Modules without a file here that without-suite.nix does not list.
  unsuited =
    let
      suited = map (suite: suite.module) (attrValues suites);
    in
    filter (name: !elem name (suited ++ withoutSuite)) (
      concatMap (stage: map (name: "${stage}.${name}") (attrNames library.${stage})) (attrNames library)
    );
}
