# The compilers of a variant in a shell: programs, and the variables with which CMake, setuptools and Torch find the
# programs and their headers.
{ backends, pythonHeaders, toolchain, toolkitPackages }:
let
  inherit (builtins) attrValues concatStringsSep;

  # gcc treats headers in these variables as system headers.
  headers = concatStringsSep ":" (
    map (package: "${package}/include") (
      [ pythonHeaders ] ++ map (package: package.dev or package) (attrValues toolkitPackages)
    )
  );
in
/** Type: compilersFor :: Variant -> { tools :: [Package]; variables :: { ${name} :: String; }; } */
variant:
let
  backendShell = backends.${variant.backend}.shell toolkitPackages;
in
{
  tools = [ toolchain ] ++ backendShell.tools;
  variables = {
    CC = "${toolchain}/bin/gcc";
    CXX = "${toolchain}/bin/g++";
    C_INCLUDE_PATH = headers;
    CPLUS_INCLUDE_PATH = headers;
  }
  // backendShell.variables;
}
