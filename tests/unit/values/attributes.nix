{ values, ... }:
let
  inherit (values) attributes;
in
{
  optionalAttrs.whereTheConditionHolds = {
    expr = map (condition: attributes.optionalAttrs condition { a = 1; }) [
      true
      false
    ];
    expected = [
      { a = 1; }
      { }
    ];
  };
  setOrEmpty.ofWhatIsNone = {
    expr = map attributes.setOrEmpty [
      { a = 1; }
      "a"
    ];
    expected = [
      { a = 1; }
      { }
    ];
  };
  generate.fromName = {
    expr = attributes.generate [ "x" ] (name: "${name}!");
    expected.x = "x!";
  };
  byName.aValueEach = {
    expr = attributes.byName (thing: thing.size + 1) [
      {
        name = "b";
        size = 1;
      }
      {
        name = "a";
        size = 2;
      }
    ];
    expected = {
      a = 3;
      b = 2;
    };
  };
}
