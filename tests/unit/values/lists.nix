{ values, ... }:
let
  inherit (values) lists;
in
{
  groupInOrder.inTheOrderOfFirstElements = {
    expr = lists.groupInOrder (word: builtins.substring 0 1 word) [
      "b"
      "a"
      "bb"
    ];
    expected = [
      [
        "b"
        "bb"
      ]
      [ "a" ]
    ];
  };
  optionals.whereTheConditionHolds = {
    expr = map (condition: lists.optionals condition [ "a" ]) [
      true
      false
    ];
    expected = [
      [ "a" ]
      [ ]
    ];
  };
  unique = {
    firstPlaceStays = {
      expr = lists.unique [
        "b"
        "a"
        "b"
      ];
      expected = [
        "b"
        "a"
      ];
    };
    empty = {
      expr = lists.unique [ ];
      expected = [ ];
    };
    otherValues = {
      expr = lists.unique [
        { a = 1; }
        [ ]
        { a = 1; }
      ];
      expected = [
        { a = 1; }
        [ ]
      ];
    };
    # Minutes, if each element were compared with all others.
    manyStrings = {
      expr = builtins.length (lists.unique (builtins.genList (number: "source-${toString number}.c") 50000));
      expected = 50000;
    };
  };
}
