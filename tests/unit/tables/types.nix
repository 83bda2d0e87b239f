{ tables, ... }:
let
  inherit (tables) types;
  ats = type: value: map (problem: problem.at) (type.problems { at = "x"; } value);
  isBoth = type: value: { expr = type.isValid value && ats type value == [ ]; expected = true; };
  isNeither = type: value: { expr = !(type.isValid value) && ats type value != [ ]; expected = true; };
in
{
  string = { text = isBoth types.string ""; number = isNeither types.string 3; };
  version = {
    two = isBoth types.version "2.12";
    unquoted = isNeither types.version 2.12;
    word = isNeither types.version "latest";
    says = [
      (types.version.problems { at = "torch.minver"; } 2.5)
      [
        {
          at = "torch.minver";
          found = "2.5";
          want = "a version such as \"2.12\"";
          fix = "write one to four numbers in quotes, with dots between them";
        }
      ]
    ];
  };
  series.read = [ (map types.series.read [ "13" "013.0.1" ]) [ "13.0" "13.0" ] ];
  release = { one = isBoth types.release "13"; word = isNeither types.release "13.x"; };
  int = { one = isBoth types.int 1; negative = isNeither types.int (-1); text = isNeither types.int "1"; };
  bool = { yes = isBoth types.bool true; text = isNeither types.bool "true"; };
  strings = {
    list = isBoth types.strings [ "a" ];
    empty = isBoth types.strings [ ];
    text = isNeither types.strings "a";
    element = [ (ats types.strings [ "a" 3 "b" false ]) [ "x[1]" "x[3]" ] ];
    offersTheList = [
      (map (problem: problem.fix) (types.strings.problems { at = "x"; } "torch"))
      [ "write [\"torch\"]" ]
    ];
  };
  flags = {
    list = isBoth types.flags [ "-DNAME=\"a b;\t\"" "" ];
    lines = isNeither types.flags [ "-O3\n-O2" ];
    elements = [ (ats types.flags [ "-O3" "a\rb" "a\nb" ]) [ "x[1]" "x[2]" ] ];
    text = isNeither types.flags "-O3";
  };
  releasePerBackend = {
    one = isBoth types.releasePerBackend "2.11";
    table = isBoth types.releasePerBackend { cuda = "2.11"; };
    wrongInTable = [ (ats types.releasePerBackend { cuda = 2.11; cpu = "2.11"; }) [ "x.cuda" ] ];
    list = isNeither types.releasePerBackend [ "2.11" ];
  };
  kernelDependencies = {
    version = isBoth types.kernelDependencies [ { repo-id = "a/b"; version = 1; } ];
    both = isNeither types.kernelDependencies [ { repo-id = "a/b"; version = 1; revision = "main"; } ];
    neither = isNeither types.kernelDependencies [ { repo-id = "a/b"; } ];
    revision = isBoth types.kernelDependencies [ { repo-id = "a/b"; revision = "main"; } ];
    ofWrongTypes = [
      (builtins.filter (more: types.kernelDependencies.isValid [ ({ repo-id = "a/b"; } // more) ]) [
        { version = "one"; }
        { version = -1; }
        { version = 1.5; }
        { revision = 3; }
        { revision = ""; }
      ])
      [ ]
    ];
    notAList = isNeither types.kernelDependencies "a/b";
    place = [ (ats types.kernelDependencies [ { repo-id = "a/b"; version = 1; } "c" ]) [ "x[1]" ] ];
  };
}
