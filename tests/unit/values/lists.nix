{ values, ... }:
let
  inherit (values) lists;
in
{
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
  };
}
