{ values, config, ... }:
let
  inherit (config) tree;
  ask =
    wanted: written:
    map (problem: problem.found) (
      tree.checkPaths { root = ../kernels/odd; } [
        { at = "x"; inherit wanted written; path = values.paths.join "" written; }
      ]
    );
in
{
  checkPaths = {
    file = [ (ask "regular" "src/a.cpp") [ ] ];
    folder = [ (ask "directory" "src") [ ] ];
    theRootItself = [ (ask "directory" ".") [ ] ];
    dots = [ (ask "regular" "./src/../src//a.cpp") [ ] ];
    empty = [ (ask "regular" "") [ "an empty string" ] ];
    absolute = [ (ask "regular" "/etc/passwd") [ "the absolute path \"/etc/passwd\"" ] ];
    option = [ (ask "regular" "-o.cpp") [ "\"-o.cpp\", which compilers would read as an option or as several names" ] ];
    lines = [
      (ask "regular" "src/a\n.cpp")
      [ "\"src/a\\n.cpp\", which compilers would read as an option or as several names" ]
    ];
    outside = [
      (ask "regular" "src/../../relu/build.toml")
      [ "\"src/../../relu/build.toml\", which is outside the kernel's folder" ]
    ];
    missing = [
      (tree.checkPaths { root = ../kernels/odd; } [
        { at = "x"; path = "src/a.cp"; written = "src/a.cp"; wanted = "regular"; }
      ])
      [
        {
          at = "x";
          found = "\"src/a.cp\", which does not exist";
          want = "a file";
          fix = "did you mean \"src/a.cpp\"?";
        }
      ]
    ];
    pattern = [
      (map (ask "regular") [ "src/*.cpp" "src/**/a?.{cpp,cu}" ])
      [
        [ "\"src/*.cpp\", which is a pattern, and no path of that name exists" ]
        [ "\"src/**/a?.{cpp,cu}\", which is a pattern, and no path of that name exists" ]
      ]
    ];
    missingFolder = [ (ask "regular" "nowhere/at/all.cpp") [ "\"nowhere/at/all.cpp\", which does not exist" ] ];
    folderForFile = [ (ask "regular" "src") [ "\"src\", which is a folder" ] ];
    fileForFolder = [ (ask "directory" "src/a.cpp") [ "\"src/a.cpp\", which is a file" ] ];
    fileOnTheWay = [ (ask "regular" "src/a.cpp/b.cpp") [ "\"src/a.cpp\", which is a file" ] ];
    link = [ (ask "regular" "src/linked.cpp") [ "\"src/linked.cpp\", which is a symbolic link" ] ];
    linkOnTheWay = [ (ask "regular" "linked/relu.cpp") [ "\"linked\", which is a symbolic link" ] ];
    every = [
      (map (problem: problem.at) (
        tree.checkPaths { root = ../kernels/odd; } [
          { at = "a"; path = "x.cpp"; written = "x.cpp"; wanted = "regular"; }
          { at = "b"; path = "src/a.cpp"; written = "src/a.cpp"; wanted = "regular"; }
          { at = "c"; path = "y"; written = "y"; wanted = "directory"; }
        ]
      ))
      [ "a" "c" ]
    ];
  };
  checkPublishedPaths = {
    links = [
      (map (problem: "${problem.at}: ${problem.found}") (
        tree.checkPublishedPaths { root = ../kernels/odd; } [ "benchmarks" "linked" "missing/folder" "src" ]
      ))
      [ "linked: a symbolic link" "src/linked.cpp: a symbolic link" ]
    ];
  };
}
