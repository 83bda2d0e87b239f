{ values, ... }:
let
  inherit (values) versions;
in
{
  pattern.isOfTheWholeText = {
    expr = map (text: builtins.match versions.pattern text != null) [
      "2.12"
      "2.12."
    ];
    expected = [
      true
      false
    ];
  };
  isVersion = {
    two = {
      expr = versions.isVersion "2.13";
      expected = true;
    };
    three = {
      expr = versions.isVersion "2025.3.1";
      expected = true;
    };
    one = {
      expr = versions.isVersion "2";
      expected = false;
    };
    word = {
      expr = versions.isVersion "2.x";
      expected = false;
    };
  };
  majorMinor = {
    cuts = {
      expr = versions.majorMinor "2.13.0";
      expected = "2.13";
    };
    pads = {
      expr = versions.majorMinor "2";
      expected = "2.0";
    };
  };
  flat.noDots = {
    expr = versions.flat "2025.3.1";
    expected = "20253";
  };
  atLeast = {
    same = {
      expr = versions.atLeast "2.12" "2.12.0";
      expected = true;
    };
    older = {
      expr = versions.atLeast "2.12" "2.9.1";
      expected = false;
    };
    patch = {
      expr = versions.atLeast "2.12.1" "2.12.0";
      expected = false;
    };
    unbounded = {
      expr = versions.atLeast null "2.9";
      expected = true;
    };
  };
  atMost = {
    admitsPatches = {
      expr = versions.atMost "2.12" "2.12.1";
      expected = true;
    };
    newer = {
      expr = versions.atMost "2.12" "2.13.0";
      expected = false;
    };
    patch = {
      expr = versions.atMost "2.12.0" "2.12.1";
      expected = false;
    };
    unbounded = {
      expr = versions.atMost null "2.15";
      expected = true;
    };
  };
  ascending.byNumber = {
    expr = versions.ascending [
      "2.10"
      "2.9"
      "2.11"
    ];
    expected = [
      "2.9"
      "2.10"
      "2.11"
    ];
  };
}
