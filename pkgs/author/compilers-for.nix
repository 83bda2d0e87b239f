# The compilers of a variant as a shell offers them: programs, and variables by which CMake,
# setuptools and Torch find them and the headers that belong to them.
{
  toolchain,
  pythonHeaders,
  cudaPackages,
}:
let
  inherit (builtins) attrValues concatStringsSep;

  foldersOf = folder: packages: map (package: "${package}/${folder}") packages;
  cudaDev = map (package: package.dev) (attrValues cudaPackages);

  # Headers beside those that a project names: as if the system had them.
  including =
    headers:
    let
      folders = concatStringsSep ":" (foldersOf "include" ([ pythonHeaders ] ++ headers));
    in
    {
      C_INCLUDE_PATH = folders;
      CPLUS_INCLUDE_PATH = folders;
    };

  plain = {
    tools = [ toolchain ];
    variables = {
      CC = "${toolchain}/bin/gcc";
      CXX = "${toolchain}/bin/g++";
    }
    // including [ ];
  };

  byBackend = {
    cpu = plain;
    cuda = {
      tools = plain.tools ++ [ cudaPackages.cuda ];
      variables =
        plain.variables
        // including cudaDev
        // {
          CUDA_HOME = "${cudaPackages.cuda}";
          CUDACXX = "${cudaPackages.cuda}/bin/nvcc";
          LIBRARY_PATH = concatStringsSep ":" (foldersOf "lib" (attrValues cudaPackages));
        };
    };
  };
in
/**
  # Type

  ```
  compilersFor :: Variant -> { tools :: [Package]; variables :: { ${name} :: String; }; }
  ```
*/
variant: byBackend.${variant.backend} or plain
