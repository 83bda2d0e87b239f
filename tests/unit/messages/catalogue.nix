{ catalogue, ... }:
let
  problems = catalogue.readCatalogue (
    builtins.toFile "catalogue.json" (
      builtins.toJSON {
        placed = { at = "a"; found = "{one} of {all}"; want = "{one!r} of {all!r}"; fix = "{ x = 1 } {}"; };
        unplaced = { found = ""; want = ""; fix = ""; };
      }
    )
  );
  values = { one = "\"{all}\""; all = [ "x" "y" ]; };
in
{
  readCatalogue = {
    fillsTexts = [
      (problems.placed values)
      { at = "a"; found = "\"{all}\" of x, y"; want = "\"\\\"{all}\\\"\" of \"x\", \"y\""; fix = "{ x = 1 } {}"; }
    ];
    writesNumbers = [ (problems.placed { one = 1; all = [ 2 3 ]; }).found "1 of 2, 3" ];
    placeOfTheCaller = [ (problems.unplaced { at = "b"; }) { at = "b"; found = ""; want = ""; fix = ""; } ];
  };
}
