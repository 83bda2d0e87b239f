# A program from Debian's packages with all libraries that it loads. Its own C library is newer than the package set's.
{ architecture, patchelf, readDebs, relocate, runStep, unpackDebs }:
/**
  `script` assembles the program and its libraries from the unpacked packages of the pin file `pins`.

  Type: debianProgram :: { name :: String; script :: Path; pins :: Path; } -> Derivation
*/
{ name, script, pins }:
runStep {
  inherit name script;
  tools = [ patchelf ];
  env = {
    inherit relocate;
    inherit (architecture) loader triple;
    tree = unpackDebs {
      name = "${name}-debs";
      archives = builtins.attrValues (readDebs pins);
    };
  };
}
