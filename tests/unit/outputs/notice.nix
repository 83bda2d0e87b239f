{ outputs, ... }:
let
  inherit (outputs) notice;
in
{
  printOnBuild = {
    sameDerivation = {
      expr = notice.printOnBuild "hello" {
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
      expr = (notice.printOnBuild (throw "said") { outPath = "a"; }).outPath;
      expected = "a";
    };
  };
}
