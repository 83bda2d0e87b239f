{ paths, ... }:
{
  parent = { nested = [ (paths.parent "a/b/c.h") "a/b" ]; ofRoot = [ (paths.parent "c.h") "" ]; };
  ending = { last = [ (paths.ending "a/kernel.cu.cpp") "cpp" ]; none = [ (paths.ending "a.b/Makefile") "" ]; };
  placeOf = {
    inARepository = [ (paths.placeOf "${builtins.storeDir}/abc-source/kernels/relu") "kernels/relu" ];
    wholeFlake = [ (paths.placeOf "${builtins.storeDir}/abc-source") "" ];
    outsideTheStore = [ (paths.placeOf /home/me/relu) "/home/me/relu" ];
  };
  isInStore = {
    inside = [ (paths.isInStore "${builtins.storeDir}/abc-source") true ];
    outside = [ (paths.isInStore "${builtins.storeDir}-of-others/abc-source") false ];
  };
  partsOf.names = [ (paths.partsOf "/a/.//b.h/") [ "a" "b.h" ] ];
  entryIn.ofATree = [
    (map (paths.entryIn { a.b = "regular"; link = "symlink"; }) [ "a/b" "a" "link/c" "a/b/c" ])
    [ "regular" { b = "regular"; } "symlink" null ]
  ];
  join = {
    upAndOver = [ (paths.join "relu_cpu" "../common/vector.h") "common/vector.h" ];
    dotsAndRepeatedSlashes = [ (paths.join "a/b" "./c//d") "a/b/c/d" ];
    root = [ (paths.join "" ".") "" ];
    outside = [ (paths.join "a" "../../x.h") null ];
    absolute = [ (paths.join "a" "/usr/include/x.h") null ];
  };
  alone.isAStorePathOfTheFileAlone = [
    (builtins.match ".*-[a-z0-9]{32}-paths[.]nix|.*/[a-z0-9]{32}-paths[.]nix" (paths.alone ./paths.nix) != null)
    true
  ];
  isFile = {
    file = [ (paths.isFile ./. "paths.nix") true ];
    folder = [ (paths.isFile ../. "kernels") false ];
    missing = [ (paths.isFile ./. "no/such.h") false ];
  };
  readTree.foldersWithinFolders = [
    (let
      tree = paths.readTree ../kernels;
    in
    [ tree."small-matrix.nix" tree.odd.linked tree.relu.relu_cuda."relu.cu" ])
    [ "regular" "symlink" "regular" ]
  ];
  typeOf = {
    file = [ (paths.typeOf ./. "paths.nix") "regular" ];
    folder = [ (paths.typeOf ../. "kernels") "directory" ];
    belowALink = [ (paths.typeOf ../kernels/odd "linked/relu.cpp") "symlink" ];
    missing = [ (paths.typeOf ./. "no/such.h") null ];
  };
  filesBelow.sortedAndRelative = [ (paths.filesBelow ../../golden/five "include") [ "include/shared.h" ] ];
}
