{ outputs, ... }:
let
  inherit (outputs) notice;
in
{
  addNotice = {
    sameDerivation = {
      expr = notice.addNotice "hello" {
        drvPath = "a.drv";
        outPath = "a";
      };
      expected = {
        drvPath = "a.drv";
        outPath = "a";
      };
    };
    # The text must not be evaluated for data.
    quietUntilBuilt = {
      expr = (notice.addNotice (throw "said") { outPath = "a"; }).outPath;
      expected = "a";
    };
  };
}
