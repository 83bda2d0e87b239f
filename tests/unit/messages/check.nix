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
  under = {
    plain = {
      expr = check.under "general" "name";
      expected = "general.name";
    };
    topLevel = {
      expr = check.under "" "general";
      expected = "general";
    };
    quotesWhatTomlQuotes = {
      expr = check.under "kernel" "my.part";
      expected = "kernel.\"my.part\"";
    };
  };
  oneOfText = {
    quoted = {
      expr = check.oneOfText [
        "a"
        "b"
      ];
      expected = "one of \"a\", \"b\"";
    };
    only = {
      expr = check.oneOfText [ "a" ];
      expected = "\"a\"";
    };
  };
  show = {
    nested = {
      expr = check.show {
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
      expr = check.show [ (a: a) ];
      expected = "[a function]";
    };
    path = {
      expr = check.show /nowhere/at/all;
      expected = "/nowhere/at/all";
    };
    derivation = {
      expr = check.show { type = "derivation"; };
      expected = "a derivation";
    };
  };
  oneOf = {
    member = {
      expr = check.oneOf {
        at = "x";
        allowed = [ "cpu" ];
      } "cpu";
      expected = [ ];
    };
    typo = {
      expr = check.oneOf {
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
        check.oneOf {
          at = "x";
          allowed = [ "cpu" ];
        } 3
      );
      expected = [ "write that" ];
    };
  };
  noUnknown = {
    known = {
      expr = check.noUnknown {
        at = "general";
        known = [ "name" ];
      } { name = 1; };
      expected = [ ];
    };
    guessed = {
      expr = check.noUnknown {
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
        check.noUnknown {
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
  matches = {
    match = {
      expr = check.matches {
        at = "a";
        pattern = "[a-z]+";
        want = "c";
        fix = "d";
      } "x";
      expected = [ ];
    };
    noMatch = {
      expr = check.matches {
        at = "a";
        pattern = "[a-z]+";
        want = "c";
        fix = "d";
      } "X";
      expected = [ (problem // { found = "\"X\""; }) ];
    };
  };
  each.numbersPlaces = {
    expr = check.each { at = "src"; } (at: element: if element == "bad" then [ at ] else [ ]) [
      "good"
      "bad"
    ];
    expected = [ "src[1]" ];
  };
  noRepeats = {
    none = {
      expr = check.noRepeats { at = "a"; } [
        "x"
        "y"
      ];
      expected = [ ];
    };
    one = {
      expr = check.noRepeats { at = "a"; } [
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
  render = {
    one = {
      expr = check.render [ problem ];
      expected = "at     a\nfound  b\nwant   c\nfix    d";
    };
    severalLines = {
      expr = check.render [ (problem // { found = "b\n\nwant   other"; }) ];
      expected = "at     a\nfound  b\n       \n       want   other\nwant   c\nfix    d";
    };
    two = {
      expr = check.render [
        problem
        problem
      ];
      expected = "at     a\nfound  b\nwant   c\nfix    d\n\nat     a\nfound  b\nwant   c\nfix    d";
    };
  };
  orThrow = {
    passes = {
      expr = check.orThrow "x" [ ] 7;
      expected = 7;
    };
    throws = {
      expr = (builtins.tryEval (check.orThrow "x" [ problem ] 7)).success;
      expected = false;
    };
  };
  refuse.throws = {
    expr =
      (builtins.tryEval (
        check.refuse "no" {
          at = "a";
          found = "b";
          want = "c";
          fix = "d";
        }
      )).success;
    expected = false;
  };
}
