{ values, ... }:
let
  inherit (values) texts;
in
{
  hasPrefix.atTheBegin = {
    expr = map (texts.hasPrefix "ab") [
      "abc"
      "ab"
      "a"
      "cab"
    ];
    expected = [
      true
      true
      false
      false
    ];
  };
  hasSuffix.atTheEnd = {
    expr = map (texts.hasSuffix "ab") [
      "cab"
      "ab"
      "b"
      "abc"
    ];
    expected = [
      true
      true
      false
      false
    ];
  };
  mentions.anyOfTheWords = {
    expr = map (texts.mentions [ "ab" "x" ]) [
      "cabc"
      "x"
      "a b"
    ];
    expected = [
      true
      true
      false
    ];
  };
  removeSpaces.keepsLines = {
    expr = texts.removeSpaces " a\tb \r\n c";
    expected = "ab\nc";
  };
}
