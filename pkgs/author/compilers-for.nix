# The compilers of a variant in a shell: programs, and the variables with which CMake, setuptools and Torch find the
# programs and their headers.
{
  backends,
  pythonHeaders,
  toolchain,
  toolkitPackages,
}:
let
  inherit (builtins) attrValues concatStringsSep;

  # With these variables the headers count as the system's.
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
