{ lists, ... }:
{
  follow.inACircle = [
    (lists.follow (key: { a = [ "b" "c" ]; b = [ "a" ]; c = [ ]; }.${key}) [ "a" ])
    [ "a" "b" "c" ]
  ];
  groupInOrder.inTheOrderOfFirstElements = [
    (lists.groupInOrder (word: builtins.substring 0 1 word) [ "b" "a" "bb" ])
    [ [ "b" "bb" ] [ "a" ] ]
  ];
  optional.whereTheConditionHolds = [
    (map (condition: lists.optional condition "a") [ true false ])
    [ [ "a" ] [ ] ]
  ];
  optionals.whereTheConditionHolds = [
    (map (condition: lists.optionals condition [ "a" ]) [ true false ])
    [ [ "a" ] [ ] ]
  ];
  unique = {
    firstPlaceStays = [ (lists.unique [ "b" "a" "b" ]) [ "b" "a" ] ];
    empty = [ (lists.unique [ ]) [ ] ];
    otherValues = [ (lists.unique [ { a = 1; } [ ] { a = 1; } ]) [ { a = 1; } [ ] ] ];
    # Minutes, if each element were compared with all others.
    manyStrings = [
      (builtins.length (lists.unique (builtins.genList (number: "source-${toString number}.c") 50000)))
      50000
    ];
  };
}
