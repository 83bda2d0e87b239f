{ types, ... }:
let
  inherit (builtins) filter;
  ats = type: value: map (problem: problem.at) (type.problems "x" value);
  # Values whose validity is not `is`; both ways to ask must agree.
  others = type: is: filter (value: !(type.isValid value == is && (ats type value == [ ]) == is));
  judge = type: right: wrong: [ [ (others type true right) (others type false wrong) ] [ [ ] [ ] ] ];
  dependency = more: [ ({ repo-id = "a/b"; } // more) ];
in
{
  string.values = judge types.string [ "" "Apache 2.0 – é" ] [ 3 "mit\nName: torch" "mit\r" "a\tb" (builtins.fromJSON "\"\\u001b\"") (builtins.fromJSON "\"\\u007f\"") ];
  # tests/eval-fail has what is said of wrong values.
  version.values = judge types.version [ "2.12" ] [ 2.12 "latest" ];
  series.read = [ (map types.series.read [ "13" "013.0.1" ]) [ "13.0" "13.0" ] ];
  release.values = judge types.release [ "13" ] [ "13.x" ];
  int.values = judge types.int [ 1 ] [ (-1) "1" ];
  bool.values = judge types.bool [ true ] [ "true" ];
  strings = {
    values = judge types.strings [ [ "a" ] [ ] ] [ "a" ];
    element = [ (ats types.strings [ "a" 3 "b" false ]) [ "x[1]" "x[3]" ] ];
  };
  flags = {
    values = judge types.flags [ [ "-DNAME=\"a b;\t\"" "" ] ] [ [ "-O3\n-O2" ] "-O3" ];
    elements = [ (ats types.flags [ "-O3" "a\rb" "a\nb" ]) [ "x[1]" "x[2]" ] ];
  };
  releasePerBackend = {
    values = judge types.releasePerBackend [ "2.11" { cuda = "2.11"; } ] [ [ "2.11" ] ];
    wrongInTable = [ (ats types.releasePerBackend { cuda = 2.11; cpu = "2.11"; }) [ "x.cuda" ] ];
  };
  kernelDependencies = {
    values =
      judge types.kernelDependencies
        (map dependency [ { version = 1; } { revision = "main"; } ])
        (
          [ "a/b" ]
          ++ map dependency [
            { version = 1; revision = "main"; }
            { }
            { version = "one"; }
            { version = -1; }
            { version = 1.5; }
            { revision = 3; }
            { revision = ""; }
          ]
        );
    place = [ (ats types.kernelDependencies (dependency { version = 1; } ++ [ "c" ])) [ "x[1]" ] ];
  };
}
