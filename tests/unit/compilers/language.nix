{ compilers, ... }:
{
  selectFlags.ofAStep = [
    (map
      (
        step:
        compilers.language.selectFlags step { toolkit = "1.0"; } [
          { steps = [ "compile" "link" ]; flags = [ "-a" ]; }
          { steps = [ "link" ]; flags = { toolkit, ... }: [ "-b=${toolkit}" ]; }
        ]
      )
      [ "compile" "link" "build" ])
    [ [ "-a" ] [ "-a" "-b=1.0" ] [ ] ]
  ];
  makeLanguage.hasDefaults = [
    (compilers.language.makeLanguage { compiler = "vpucc"; standard = _: "c17"; }).optimisation
    [ "-O3" "-DNDEBUG" "-fPIC" ]
  ];
}
