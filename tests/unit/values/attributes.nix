{ attributes, ... }:
{
  fromNames = {
    each = {
      expr = attributes.fromNames [
        "a"
        "b"
      ];
      expected = {
        a = "a";
        b = "b";
      };
    };
    repeatedOnce = {
      expr = attributes.fromNames [
        "a"
        "a"
      ];
      expected.a = "a";
    };
  };
  generate.fromName = {
    expr = attributes.generate [ "x" ] (name: "${name}!");
    expected.x = "x!";
  };
}
