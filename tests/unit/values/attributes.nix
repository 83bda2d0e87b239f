{ attributes, ... }:
{
  optionalAttrs.whereTheConditionHolds = [
    (map (condition: attributes.optionalAttrs condition { a = 1; }) [ true false ])
    [ { a = 1; } { } ]
  ];
  setOrEmpty.ofWhatIsNone = [ (map attributes.setOrEmpty [ { a = 1; } "a" ]) [ { a = 1; } { } ] ];
  generate.fromName = [ (attributes.generate [ "x" ] (name: "${name}!")) { x = "x!"; } ];
  byPlace.aValueEach = [
    (attributes.byPlace (thing: thing.name) [ { name = "torch"; at = "torch"; } { name = "torch"; at = "kernel.torch"; } ])
    { torch = "torch"; "kernel.torch" = "torch"; }
  ];
  byName.aValueEach = [
    (attributes.byName (thing: thing.size + 1) [ { name = "b"; size = 1; } { name = "a"; size = 2; } ])
    { a = 3; b = 2; }
  ];
}
