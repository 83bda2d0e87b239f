# A program of Debian's packages with all that it loads, its C library included, which is newer than the set's.
{
  architecture,
  patchelf,
  readDebs,
  relocate,
  runStep,
  unpackDebs,
}:
/**
  `script` puts the program and its libraries together out of the unpacked packages of `pins`, a file.

  # Type

  ```
  debianProgram :: { name :: String; script :: Path; pins :: Path; } -> Derivation
  ```
*/
{
  name,
  script,
  pins,
}:
runStep {
  inherit name script;
  tools = [ patchelf ];
  env = {
    inherit relocate;
    inherit (architecture) loader triple;
    tree = unpackDebs {
      name = "${name}-debs";
      packages = [ ];
      archives = builtins.attrValues (readDebs pins);
    };
  };
}
