{ compilers, ... }:
let
  inherit (compilers.language) addFlags makeFlags makeLanguage makeTable optimised selectFlags;
in
{
  makeFlags.hasSteps = [ (makeFlags [ "link" ] [ "-a" ]) { steps = [ "link" ]; flags = [ "-a" ]; } ];
  selectFlags.ofAStep = [
    (map
      (
        step:
        selectFlags step { toolkit = "1.0"; } (makeTable [
          (makeFlags [ "compile" "link" ] [ "-a" ])
          (makeFlags [ "link" ] ({ toolkit, ... }: [ "-b=${toolkit}" ]))
        ])
      )
      [ "compile" "link" "build" ])
    [ [ "-a" ] [ "-a" "-b=1.0" ] [ ] ]
  ];
  addFlags.afterItsOwn = [
    (map (step: selectFlags step { } (addFlags { flags = makeTable [ (makeFlags [ "compile" ] [ "-a" ]) ]; } [
      (makeFlags [ "compile" "link" ] [ "-b" ])
    ]).flags) [ "compile" "link" ])
    [ [ "-a" "-b" ] [ "-b" ] ]
  ];
  makeLanguage.hasDefaults = [ (makeLanguage { compiler = "vpucc"; standard = _: "c17"; }).flags (makeTable [ optimised ]) ];
  makeTable.byStep =
    let
      row = makeFlags [ "compile" "link" ] [ "-a" ];
    in
    [ (makeTable [ row ]) { compile = [ row ]; link = [ row ]; } ];
  # An extension is a library.
  optimised.isForLibraries = [ (builtins.elem "-fPIC" (selectFlags "first" { } (makeTable [ optimised ]))) true ];
}
