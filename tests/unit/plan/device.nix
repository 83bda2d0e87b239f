{ device, ... }:
let
  plan =
    changed:
    device.planDevice (
      {
        targets = [ "9.0" ];
        toolkit = "13.0";
        seesTargets = false;
        flags = [ ];
      }
      // changed
    );
  wholeOf = flags: (plan { inherit flags; }).whole;
in
{
  planDevice = {
    passes = {
      expr =
        (plan {
          targets = [
            "9.0a"
            "12.0f"
            "12.1+PTX"
          ];
        }).passes;
      expected = [
        {
          name = "90a";
          macro = "900";
          ptx = false;
        }
        {
          name = "120f";
          macro = "1200";
          ptx = false;
        }
        {
          name = "121";
          macro = "1210";
          ptx = true;
        }
      ];
    };
    listIsTheSameForAllWhereNobodyLooks = {
      expr = map (targets: (plan { inherit targets; }).archList) [
        [ "9.0" ]
        [
          "8.0"
          "12.0"
        ]
      ];
      expected = [
        "750"
        "750"
      ];
    };
    listIsNumericAndWithoutRepeats = {
      expr =
        (plan {
          targets = [
            "10.0"
            "9.0"
            "9.0a"
            "12.1+PTX"
          ];
          seesTargets = true;
        }).archList;
      expected = "900,1000,1210";
    };
    wholeKeepsTheList = {
      expr = (plan { flags = [ "-rdc=true" ]; }).archList;
      expected = "900";
    };
    usualFlagsAreSeparable = {
      expr = map wholeOf [
        [
          "-O3"
          "-DA=1"
          "--use_fast_math"
          "-Xptxas"
          "-v"
          "-Xcompiler=-Wall"
        ]
        [
          "-D"
          "A"
          "-lineinfo"
          "--maxrregcount=64"
          "--threads=4"
        ]
      ];
      expected = [
        null
        null
      ];
    };
    othersAreNamed = {
      expr = map wholeOf [
        [
          "-O3"
          "-rdc=true"
        ]
        [
          "-dlto"
          "--new-flag"
        ]
      ];
      expected = [
        "not known to concern one pass only: -rdc=true"
        "not known to concern one pass only: -dlto --new-flag"
      ];
    };
  };
}
