{ tree, values, ... }:
let
  ask =
    wanted: written:
    map (problem: problem.found) (
      tree.checkPaths ../kernels/odd [
        { at = "x"; inherit wanted written; path = values.paths.join "" written; }
      ]
    );
in
{
  # tests/eval-fail/tables/sources.nix has the other wrong paths.
  checkPaths = {
    right = [
      (map (ask "regular") [ "src/a.cpp" "./src/../src//a.cpp" ] ++ map (ask "directory") [ "src" "." ])
      [ [ ] [ ] [ ] [ ] ]
    ];
    lines = [
      (ask "regular" "src/a\n.cpp")
      [ "\"src/a\\n.cpp\", which compilers would read as an option or as several names" ]
    ];
    fileOnTheWay = [ (ask "regular" "src/a.cpp/b.cpp") [ "\"src/a.cpp\", which is a file" ] ];
  };
  checkPublishedPaths = {
    links = [
      (map (problem: "${problem.at}: ${problem.found}") (
        tree.checkPublishedPaths ../kernels/odd [ "benchmarks" "linked" "missing/folder" "src" ]
      ))
      [ "linked: a symbolic link" "src/linked.cpp: a symbolic link" ]
    ];
  };
}
