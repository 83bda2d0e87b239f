{ values, ... }:
let
  inherit (values) lists;
in
{
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
