{ check, ... }:
let
  problem = { at = "a"; found = "b"; want = "c"; fix = "d"; };
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
  # tests/eval-fail has the whole problems.
  checkChoice.values = [
    (map (value: map (found: found.fix) (check.checkChoice { at = "x"; allowed = [ "cpu" ]; } value)) [ "cpu" "cpuu" 3 "gpu" ])
    [ [ ] [ "did you mean \"cpu\"?" ] [ "write that" ] [ "write one of them for each kind of GPU" ] ]
  ];
  checkKeys.wordsOfOthers = [
    (map (found: found.fix) (check.checkKeys { at = ""; known = [ "source" ]; } { include_dirs = 1; sources = 1; }))
    [ "write `include`" "write `src`" ]
  ];
  checkKeys.everyUnknownOne = [
    (map (found: found.at) (check.checkKeys { at = ""; known = [ "name" ]; } { b = 1; a = 1; name = 1; }))
    [ "a" "b" ]
  ];
  # A misspelt key, and a word of others, are one mistake each; an unknown one next to a missing one are two.
  listMissingKeys.oneMistakeOneProblem = [
    (map
      (check.listMissingKeys { known = [ "backend" "name" "src" ]; required = [ "name" "src" ]; })
      [ { } { nmae = 1; srcs = 1; } { name = 1; sources = 1; } { name = 1; colour = 1; } ]
    )
    [ [ "name" "src" ] [ ] [ ] [ "src" ] ]
  ];
  checkPattern = {
    match = [ (check.checkPattern { at = "a"; pattern = "[a-z]+"; want = "c"; fix = "d"; } "x") [ ] ];
    noMatch = [
      (check.checkPattern { at = "a"; pattern = "[a-z]+"; want = "c"; fix = "d"; } "X")
      [ (problem // { found = "\"X\""; }) ]
    ];
  };
  checkElements.numbersPlaces = [
    (check.checkElements "src" (at: element: if element == "bad" then [ at ] else [ ]) [ "good" "bad" ])
    [ "src[1]" ]
  ];

  renderProblems = {
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
  throwProblem.throws = [ (builtins.tryEval (check.throwProblem "no" problem)).success false ];
}
