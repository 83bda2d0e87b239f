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
    file = { expr = ask "regular" "src/a.cpp"; expected = [ ]; };
    folder = { expr = ask "directory" "src"; expected = [ ]; };
    theRootItself = { expr = ask "directory" "."; expected = [ ]; };
    dots = { expr = ask "regular" "./src/../src//a.cpp"; expected = [ ]; };
    empty = { expr = ask "regular" ""; expected = [ "an empty string" ]; };
    absolute = { expr = ask "regular" "/etc/passwd"; expected = [ "the absolute path \"/etc/passwd\"" ]; };
    option = [
      (ask "regular" "-o.cpp")
      [ "\"-o.cpp\", which compilers would read as an option or as several names" ]
    ];
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
    folderForFile = { expr = ask "regular" "src"; expected = [ "\"src\", which is a folder" ]; };
    fileForFolder = { expr = ask "directory" "src/a.cpp"; expected = [ "\"src/a.cpp\", which is a file" ]; };
    fileOnTheWay = { expr = ask "regular" "src/a.cpp/b.cpp"; expected = [ "\"src/a.cpp\", which is a file" ]; };
    link = { expr = ask "regular" "src/linked.cpp"; expected = [ "\"src/linked.cpp\", which is a symbolic link" ]; };
    linkOnTheWay = { expr = ask "regular" "linked/relu.cpp"; expected = [ "\"linked\", which is a symbolic link" ]; };
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
