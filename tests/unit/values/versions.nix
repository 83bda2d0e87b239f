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
    # The existing tool takes these, too.
    spellings = {
      expr = builtins.filter (text: !versions.isVersion text) [
        "13"
        "2025.3.1.4"
        " 13.0"
        "13.0 \n"
        "2.09"
        "0.0"
      ];
      expected = [ ];
    };
    others = {
      expr = builtins.filter versions.isVersion [
        ""
        " "
        "."
        "13."
        ".13"
        "13 .0"
        "1.2.3.4.5"
        "-1"
        "+13"
        "v13"
        "13.x"
        "1234567890"
      ];
      expected = [ ];
    };
    word = {
      expr = versions.isVersion "2.x";
      expected = false;
    };
  };
  readVersion.keepsItsPrecision = {
    expr = map versions.readVersion [
      "13"
      " 13.0\n"
      "2.09"
      "02.9.00"
      "0"
      "2025.3.1.4"
    ];
    expected = [
      "13"
      "13.0"
      "2.9"
      "2.9.0"
      "0"
      "2025.3.1.4"
    ];
  };
  readRelease.hasTwoNumbers = {
    expr = map versions.readRelease [
      " 013"
      "2.09"
      "2025.3.1"
    ];
    expected = [
      "13.0"
      "2.9"
      "2025.3.1"
    ];
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
    major = {
      expr = map (versions.atLeast "13") [
        "13.0"
        "12.9"
      ];
      expected = [
        true
        false
      ];
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
    admitsMinors = {
      expr = map (versions.atMost "13") [
        "13.0"
        "13.5"
        "14.0"
      ];
      expected = [
        true
        true
        false
      ];
    };
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
