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
    plain = {
      expr = check.appendKey "general" "name";
      expected = "general.name";
    };
    topLevel = {
      expr = check.appendKey "" "general";
      expected = "general";
    };
    quotesWhatTomlQuotes = {
      expr = check.appendKey "kernel" "my.part";
      expected = "kernel.\"my.part\"";
    };
  };
  listChoices = {
    quoted = {
      expr = check.listChoices [
        "a"
        "b"
      ];
      expected = "one of \"a\", \"b\"";
    };
    only = {
      expr = check.listChoices [ "a" ];
      expected = "\"a\"";
    };
  };
  showValue = {
    nested = {
      expr = check.showValue {
        a = [
          1
          "x"
          true
        ];
        "b c" = null;
      };
      expected = "{ a = [1, \"x\", true], \"b c\" = nothing }";
    };
    function = {
      expr = check.showValue [ (a: a) ];
      expected = "[a function]";
    };
    path = {
      expr = check.showValue /nowhere/at/all;
      expected = "/nowhere/at/all";
    };
    derivation = {
      expr = check.showValue { type = "derivation"; };
      expected = "a derivation";
    };
  };
  checkChoice = {
    member = {
      expr = check.checkChoice {
        at = "x";
        allowed = [ "cpu" ];
      } "cpu";
      expected = [ ];
    };
    typo = {
      expr = check.checkChoice {
        at = "kernel.relu.backend";
        allowed = [
          "cpu"
          "cuda"
        ];
      } "cudaa";
      expected = [
        {
          at = "kernel.relu.backend";
          found = "\"cudaa\"";
          want = "one of \"cpu\", \"cuda\"";
          fix = "did you mean \"cuda\"?";
        }
      ];
    };
    notEvenAString = {
      expr = map (found: found.fix) (
        check.checkChoice {
          at = "x";
          allowed = [ "cpu" ];
        } 3
      );
      expected = [ "write that" ];
    };
  };
  checkKeys = {
    known = {
      expr = check.checkKeys {
        at = "general";
        known = [ "name" ];
      } { name = 1; };
      expected = [ ];
    };
    guessed = {
      expr = check.checkKeys {
        at = "general";
        known = [ "backends" ];
      } { bakends = 1; };
      expected = [
        {
          at = "general.bakends";
          found = "an unknown key";
          want = "\"backends\"";
          fix = "did you mean \"backends\"?";
        }
      ];
    };
    all = {
      expr = map (found: found.at) (
        check.checkKeys {
          at = "";
          known = [ ];
        } {
          b = 1;
          a = 1;
        }
      );
      expected = [
        "a"
        "b"
      ];
    };
  };
  checkPattern = {
    match = {
      expr = check.checkPattern {
        at = "a";
        pattern = "[a-z]+";
        want = "c";
        fix = "d";
      } "x";
      expected = [ ];
    };
    noMatch = {
      expr = check.checkPattern {
        at = "a";
        pattern = "[a-z]+";
        want = "c";
        fix = "d";
      } "X";
      expected = [ (problem // { found = "\"X\""; }) ];
    };
  };
  checkElements.numbersPlaces = {
    expr = check.checkElements { at = "src"; } (at: element: if element == "bad" then [ at ] else [ ]) [
      "good"
      "bad"
    ];
    expected = [ "src[1]" ];
  };
  checkRepeats = {
    none = {
      expr = check.checkRepeats { at = "a"; } [
        "x"
        "y"
      ];
      expected = [ ];
    };
    one = {
      expr = check.checkRepeats { at = "a"; } [
        "x"
        "y"
        "x"
      ];
      expected = [
        {
          at = "a[2]";
          found = "\"x\" for the second time";
          want = "every entry once";
          fix = "delete one of the two";
        }
      ];
    };
  };
  renderProblems = {
    one = {
      expr = check.renderProblems [ problem ];
      expected = "at     a\nfound  b\nwant   c\nfix    d";
    };
    severalLines = {
      expr = check.renderProblems [ (problem // { found = "b\n\nwant   other"; }) ];
      expected = "at     a\nfound  b\n       \n       want   other\nwant   c\nfix    d";
    };
    two = {
      expr = check.renderProblems [
        problem
        problem
      ];
      expected = "at     a\nfound  b\nwant   c\nfix    d\n\nat     a\nfound  b\nwant   c\nfix    d";
    };
  };
  throwProblems = {
    passes = {
      expr = check.throwProblems "x" [ ] 7;
      expected = 7;
    };
    throws = {
      expr = (builtins.tryEval (check.throwProblems "x" [ problem ] 7)).success;
      expected = false;
    };
  };
  throwProblem.throws = {
    expr =
      (builtins.tryEval (
        check.throwProblem "no" {
          at = "a";
          found = "b";
          want = "c";
          fix = "d";
        }
      )).success;
    expected = false;
  };
}
