# The compilers of a variant as a shell offers them: programs, and variables by which CMake,
# setuptools and Torch find them and the headers that belong to them.
{
  backends,
  pythonHeaders,
  toolchain,
  toolkitPackages,
}:
let
  inherit (builtins) attrValues concatStringsSep;

  # As if the system had them.
  headers = concatStringsSep ":" (
    map (package: "${package}/include") (
      [ pythonHeaders ] ++ map (package: package.dev or package) (attrValues toolkitPackages)
    )
  );
in
/**
  # Type

  ```
  compilersFor :: Variant -> { tools :: [Package]; variables :: { ${name} :: String; }; }
  ```
*/
variant:
let
  own = backends.${variant.backend}.shell toolkitPackages;
in
{
  tools = [ toolchain ] ++ own.tools;
  variables = {
    CC = "${toolchain}/bin/gcc";
    CXX = "${toolchain}/bin/g++";
    C_INCLUDE_PATH = headers;
    CPLUS_INCLUDE_PATH = headers;
  }
  // own.variables;
}
