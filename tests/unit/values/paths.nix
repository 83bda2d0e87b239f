{ values, ... }:
let
  inherit (values) paths;
in
{
  parent = {
    nested = {
      expr = paths.parent "a/b/c.h";
      expected = "a/b";
    };
    ofRoot = {
      expr = paths.parent "c.h";
      expected = "";
    };
  };
  ending = {
    last = {
      expr = paths.ending "a/kernel.cu.cpp";
      expected = "cpp";
    };
    none = {
      expr = paths.ending "a.b/Makefile";
      expected = "";
    };
  };
  join = {
    upAndOver = {
      expr = paths.join "relu_cpu" "../common/vector.h";
      expected = "common/vector.h";
    };
    dotsAndRepeatedSlashes = {
      expr = paths.join "a/b" "./c//d";
      expected = "a/b/c/d";
    };
    root = {
      expr = paths.join "" ".";
      expected = "";
    };
    outside = {
      expr = paths.join "a" "../../x.h";
      expected = null;
    };
    absolute = {
      expr = paths.join "a" "/usr/include/x.h";
      expected = null;
    };
  };
  alone.isAStorePathOfTheFileAlone = {
    expr = builtins.match ".*-[a-z0-9]{32}-paths[.]nix|.*/[a-z0-9]{32}-paths[.]nix" (
      paths.alone ./paths.nix
    ) != null;
    expected = true;
  };
  isFile = {
    file = {
      expr = paths.isFile ./. "paths.nix";
      expected = true;
    };
    folder = {
      expr = paths.isFile ../. "kernels";
      expected = false;
    };
    missing = {
      expr = paths.isFile ./. "no/such.h";
      expected = false;
    };
  };
  typeOf = {
    file = {
      expr = paths.typeOf ./. "paths.nix";
      expected = "regular";
    };
    folder = {
      expr = paths.typeOf ../. "kernels";
      expected = "directory";
    };
    belowALink = {
      expr = paths.typeOf ../kernels/odd "linked/relu.cpp";
      expected = "symlink";
    };
    missing = {
      expr = paths.typeOf ./. "no/such.h";
      expected = null;
    };
  };
  filesBelow.sortedAndRelative = {
    expr = paths.filesBelow ../../golden/five "include";
    expected = [ "include/shared.h" ];
  };
}
