# The unit tests of the library, as data: `NAME.nix` holds the cases of module NAME, as
# `library: { <symbol>.<case> = { expr; expected; }; }`.
#
# Names cost nothing: an expression is evaluated when its outcome is asked for.
let
  inherit (builtins)
    attrNames
    concatMap
    concatStringsSep
    deepSeq
    elem
    filter
    isAttrs
    listToAttrs
    map
    match
    readDir
    toJSON
    tryEval
    ;

  library = import ../../lib;

  # Tested with derivations, in tests/graph, or by all suites together.
  withoutSuite = import ./without-suite.nix;

  suiteNames = filter (name: library ? ${name}) (
    map (file: builtins.head (match "(.*)\\.nix" file)) (
      filter (file: match ".*\\.nix" file != null) (attrNames (readDir ./.))
    )
  );

  suites = listToAttrs (
    map (name: {
      inherit name;
      value = import (./. + "/${name}.nix") library;
    }) suiteNames
  );

  isCase = value: isAttrs value && value ? expr && value ? expected;

  casesBelow =
    path: value:
    if isCase value then
      [
        {
          name = concatStringsSep "." path;
          value = outcome value;
        }
      ]
    else
      concatMap (key: casesBelow (path ++ [ key ]) value.${key}) (attrNames value);

  # `got` is null where the expression ends in an error that can be caught.
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
in
{
  # File -> case -> what came out.
  cases = listToAttrs (
    map (name: {
      name = "${name}.nix";
      value = listToAttrs (casesBelow [ ] suites.${name});
    }) suiteNames
  );

  # Public symbols without a case.
  untested = concatMap (
    name:
    map (symbol: "${name}.${symbol}") (
      filter (symbol: !suites.${name} ? ${symbol}) (attrNames library.${name})
    )
  ) suiteNames;

  # Modules that have no file here and are not in without-suite.nix.
  unsuited = filter (name: !elem name (suiteNames ++ withoutSuite)) (attrNames library);
}
