{ outputs, ... }:
let
  inherit (outputs) notice;
in
{
  onBuild = {
    sameDerivation = {
      expr = notice.onBuild "hello" {
        drvPath = "a.drv";
        outPath = "a";
      };
      expected = {
        drvPath = "a.drv";
        outPath = "a";
      };
    };
    # The text, which must not be made for data.
    quietUntilBuilt = {
      expr = (notice.onBuild (throw "said") { outPath = "a"; }).outPath;
      expected = "a";
    };
  };
}
