{ texts, ... }:
{
  capture.orAnotherValue = [ (map (texts.capture null "a(.*)c") [ "abc" "ab" ]) [ "b" null ] ];
  hasPrefix.atTheBegin = [ (map (texts.hasPrefix "ab") [ "abc" "ab" "a" "cab" ]) [ true true false false ] ];
  hasSuffix.atTheEnd = [ (map (texts.hasSuffix "ab") [ "cab" "ab" "b" "abc" ]) [ true true false false ] ];
  # tests/graph/test_long_texts.py shows that it is short enough.
  longestMatch.fitsTheStack = [ (texts.longestMatch < 36000) true ];
  mayRunOn.withoutTheWords = [
    (let
      repeat = text: number: if number == 0 then text else repeat (text + text) (number - 1);
    in
    map (texts.mayRunOn [ "\n" ";" ]) [ "" (repeat "x" 12) (repeat "x" 14) (repeat "xxx;" 13) (repeat "x" 12 + repeat "x\n" 14) ])
    [ false false true false false ]
  ];
  mentions.anyOfTheWords = [ (map (texts.mentions [ "ab" "x" ]) [ "cabc" "x" "a b" ]) [ true true false ] ];
  removeSpaces.keepsLines = [ (texts.removeSpaces " a\tb \r\n c") "ab\nc" ];
}
