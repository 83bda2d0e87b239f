{ values, ... }:
let
  inherit (values) attributes;
in
{
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
