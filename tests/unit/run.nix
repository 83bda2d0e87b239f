# Runs every suite of this folder: `NAME.nix` holds the cases of module NAME of
# the library, as `library: { <symbol>.<case> = { expr; expected; }; }`.
#
# A public symbol without a case is a failure too, and so is a module without a
# suite that is not named below.
let
  inherit (builtins)
    attrNames
    concatMap
    concatStringsSep
    deepSeq
    elem
    filter
    isAttrs
    length
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
      [ (value // { name = concatStringsSep "." path; }) ]
    else
      concatMap (key: casesBelow (path ++ [ key ]) value.${key}) (attrNames value);

  run =
    case:
    let
      result = tryEval (deepSeq case.expr case.expr);
      got = if result.success then toJSON result.value else "an error";
    in
    if result.success && result.value == case.expected then
      [ ]
    else
      [ "FAIL ${case.name}\n  got   ${got}\n  want  ${toJSON case.expected}" ];

  cases = casesBelow [ ] suites;

  untested = concatMap (
    name:
    map (symbol: "FAIL ${name}.${symbol} has no test") (
      filter (symbol: !suites.${name} ? ${symbol}) (attrNames library.${name})
    )
  ) suiteNames;

  unsuited = map (name: "FAIL module ${name} has no suite") (
    filter (name: !elem name (suiteNames ++ withoutSuite)) (attrNames library)
  );

  failures = concatMap run cases ++ untested ++ unsuited;
  failed = length failures;
  passed = length cases - length (concatMap run cases);
in
{
  inherit failed;
  report = concatStringsSep "\n" (
    failures ++ [ "${toString passed} passed, ${toString failed} failed" ]
  );
}
