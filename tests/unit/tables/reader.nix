{ tables, ... }:
let
  inherit (tables.reader) declareSection fillSection checkSection;
  table = declareSection {
    meaning = "An example.";
    keys = {
      name = { type = "string"; required = true; meaning = "A name."; };
      sizes = {
        type = "strings"; allowed = [ "small" "large" ]; default = [ "small" ]; meaning = "Sizes.";
      };
    };
  };
in
{
  declareSection.keysAreComplete = [
    table.keys.name
    {
      type = "string"; meaning = "A name."; since = 1; required = true; default = null;
      allowed = null; pattern = null; form = null; fix = "correct the spelling"; backends = null;
        correct = null;
    }
  ];
  checkSection =
    let
      ask =
        value:
        map
          (problem: [ problem.at problem.fix ])
          (
            checkSection {
              at = "x"; section = table; parts = [ "part" ]; wanted = "a thing"; begin = "make one";
              place = "the thing";
            } value
          );
    in
    {
      none = [ (ask { name = "a"; sizes = [ "large" ]; part = 1; }) [ ] ];
      all = [
        (ask { sizes = [ "smal" ]; nme = 1; })
        [
          [ "x.nme" "did you mean \"name\"?" ]
          [ "x.sizes[0]" "did you mean \"small\"?" ]
        ]
      ];
      noSet = [ (ask 1) [ [ "x" "make one" ] ] ];
      # A list of right elements is no right value of a key that has one, nor the other way round.
      listAndOne =
        let
          correct = _: "b";
          section = declareSection {
            meaning = "An example.";
            keys.label = { type = "string"; meaning = "A label."; pattern = "[a-z]+"; };
            keys.labels = { type = "strings"; meaning = "Labels."; inherit correct; };
          };
        in
        [
          (map (
            value:
            map (problem: [ problem.found problem.fix ]) (
              checkSection { at = "x"; inherit section; wanted = "a thing"; begin = "make one"; place = "the thing"; } value
            )
          ) [ { label = "a"; } { label = [ "a" ]; } { labels = "a"; } { labels = [ 1 ]; } ])
          [
            [ ]
            [ [ "[\"a\"]" "write a string in quotes" ] ]
            [ [ "\"a\"" "write [\"a\"]" ] ]
            [ [ "1" "write \"b\"" ] ]
          ]
        ];
    };
  fillSection = {
    absent = [ (fillSection table { }) { name = null; sizes = [ "small" ]; } ];
    wrongType = [ (fillSection table { name = 1; sizes = [ "other" ]; }) { name = null; sizes = [ "other" ]; } ];
  };
}
