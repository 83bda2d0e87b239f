{ notice, ... }:
{
  addNotice = {
    sameDerivation = [
      (notice.addNotice "hello" { drvPath = "a.drv"; outPath = "a"; })
      { drvPath = "a.drv"; outPath = "a"; }
    ];
    # The text must not be evaluated for data.
    quietUntilBuilt = [ (notice.addNotice (throw "said") { outPath = "a"; }).outPath "a" ];
  };
}
