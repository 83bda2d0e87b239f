{ messages, ... }:
let
  inherit (messages) check;
  problem = {
    at = "a";
    found = "b";
    want = "c";
    fix = "d";
  };
in
{
  appendKey = {
    plain = [ (check.appendKey "general" "name") "general.name" ];
    topLevel = [ (check.appendKey "" "general") "general" ];
    quotesWhatTomlQuotes = [ (check.appendKey "kernel" "my.part") "kernel.\"my.part\"" ];
  };
  listChoices = {
    quoted = [ (check.listChoices [ "a" "b" ]) "one of \"a\", \"b\"" ];
    only = [ (check.listChoices [ "a" ]) "\"a\"" ];
  };
  showValue = {
    nested = [ (check.showValue { a = [ 1 "x" true ]; "b c" = null; }) "{ a = [1, \"x\", true], \"b c\" = nothing }" ];
    function = [ (check.showValue [ (a: a) ]) "[a function]" ];
    path = [ (check.showValue /nowhere/at/all) "/nowhere/at/all" ];
    derivation = [ (check.showValue { type = "derivation"; }) "a derivation" ];
  };
  checkChoice = {
    member = [ (check.checkChoice { at = "x"; allowed = [ "cpu" ]; } "cpu") [ ] ];
    typo = [
      (check.checkChoice { at = "kernel.relu.backend"; allowed = [ "cpu" "cuda" ]; } "cudaa")
      [
        {
          at = "kernel.relu.backend";
          found = "\"cudaa\"";
          want = "one of \"cpu\", \"cuda\"";
          fix = "did you mean \"cuda\"?";
        }
      ]
    ];
    notEvenAString = [
      (map (found: found.fix) (check.checkChoice { at = "x"; allowed = [ "cpu" ]; } 3))
      [ "write that" ]
    ];
  };
  checkKeys = {
    known = [ (check.checkKeys { at = "general"; known = [ "name" ]; } { name = 1; }) [ ] ];
    guessed = [
      (check.checkKeys { at = "general"; known = [ "backends" ]; } { bakends = 1; })
      [
        {
          at = "general.bakends";
          found = "an unknown key";
          want = "\"backends\"";
          fix = "did you mean \"backends\"?";
        }
      ]
    ];
    all = [ (map (found: found.at) (check.checkKeys { at = ""; known = [ ]; } { b = 1; a = 1; })) [ "a" "b" ] ];
  };
  checkPattern = {
    match = [ (check.checkPattern { at = "a"; pattern = "[a-z]+"; want = "c"; fix = "d"; } "x") [ ] ];
    noMatch = [
      (check.checkPattern { at = "a"; pattern = "[a-z]+"; want = "c"; fix = "d"; } "X")
      [ (problem // { found = "\"X\""; }) ]
    ];
  };
  checkElements.numbersPlaces = [
    (check.checkElements { at = "src"; } (at: element: if element == "bad" then [ at ] else [ ]) [ "good" "bad" ])
    [ "src[1]" ]
  ];
  checkRepeats = {
    none = [ (check.checkRepeats { at = "a"; } [ "x" "y" ]) [ ] ];
    one = [
      (check.checkRepeats { at = "a"; } [ "x" "y" "x" ])
      [
        {
          at = "a[2]";
          found = "\"x\" for the second time";
          want = "every entry once";
          fix = "delete one of the two";
        }
      ]
    ];
  };
  renderProblems = {
    one = [ (check.renderProblems [ problem ]) "at     a\nfound  b\nwant   c\nfix    d" ];
    severalLines = [
      (check.renderProblems [ (problem // { found = "b\n\nwant   other"; }) ])
      "at     a\nfound  b\n       \n       want   other\nwant   c\nfix    d"
    ];
    two = [
      (check.renderProblems [ problem problem ])
      "at     a\nfound  b\nwant   c\nfix    d\n\nat     a\nfound  b\nwant   c\nfix    d"
    ];
  };
  throwProblems = {
    passes = [ (check.throwProblems "x" [ ] 7) 7 ];
    throws = [ (builtins.tryEval (check.throwProblems "x" [ problem ] 7)).success false ];
  };
  throwProblem.throws = [
    (builtins.tryEval (check.throwProblem "no" { at = "a"; found = "b"; want = "c"; fix = "d"; })).success
    false
  ];
}
