{ tables, ... }:
let
  inherit (tables.reader) declareSection fillSection checkSection;
  table = declareSection {
    meaning = "An example.";
    keys = {
      name = {
        type = "string";
        required = true;
        meaning = "A name.";
      };
      sizes = {
        type = "strings";
        allowed = [
          "small"
          "large"
        ];
        default = [ "small" ];
        meaning = "Sizes.";
      };
    };
  };
in
{
  declareSection.keysAreComplete = {
    expr = table.keys.name;
    expected = {
      type = "string";
      meaning = "A name.";
      since = 1;
      required = true;
      default = null;
      allowed = null;
      pattern = null;
      perSource = true;
      form = null;
      backends = null;
    };
  };
  checkSection =
    let
      ask =
        value:
        map
          (problem: [
            problem.at
            problem.fix
          ])
          (
            checkSection {
              at = "x";
              section = table;
              parts = [ "part" ];
              wanted = "a thing";
              begin = "make one";
              place = "the thing";
            } value
          );
    in
    {
      none = {
        expr = ask {
          name = "a";
          sizes = [ "large" ];
          part = 1;
        };
        expected = [ ];
      };
      all = {
        expr = ask {
          sizes = [ "smal" ];
          nme = 1;
        };
        expected = [
          [
            "x.nme"
            "did you mean \"name\"?"
          ]
          [
            "x.name"
            "add name to the thing"
          ]
          [
            "x.sizes[0]"
            "did you mean \"small\"?"
          ]
        ];
      };
      noSet = {
        expr = ask 1;
        expected = [
          [
            "x"
            "make one"
          ]
        ];
      };
    };
  fillSection = {
    absent = {
      expr = fillSection table { };
      expected = {
        name = null;
        sizes = [ "small" ];
      };
    };
    wrongType = {
      expr = fillSection table {
        name = 1;
        sizes = [ "other" ];
      };
      expected = {
        name = null;
        sizes = [ "other" ];
      };
    };
  };
}
