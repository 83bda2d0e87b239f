{ values, ... }:
let
  inherit (values) texts;
in
{
  hasPrefix.atTheBegin = [ (map (texts.hasPrefix "ab") [ "abc" "ab" "a" "cab" ]) [ true true false false ] ];
  hasSuffix.atTheEnd = [ (map (texts.hasSuffix "ab") [ "cab" "ab" "b" "abc" ]) [ true true false false ] ];
  # tests/graph/test_long_texts.py shows that it is short enough.
  longestMatch.fitsTheStack = [ (texts.longestMatch < 36000) true ];
  mentions.anyOfTheWords = [ (map (texts.mentions [ "ab" "x" ]) [ "cabc" "x" "a b" ]) [ true true false ] ];
  removeSpaces.keepsLines = [ (texts.removeSpaces " a\tb \r\n c") "ab\nc" ];
}
