# The objects of one variant, linked to the module that Python loads.
{
  runStep,
  toolchain,
  pythonHeaders,
  glibcStubs,
  cudaPackages,
}:
/**
  # Type

  ```
  linkExtension :: { kernel :: String; plan :: Plan; extension :: String; objects :: [Derivation]; torch :: Package; } -> Derivation
  ```
*/
{
  kernel,
  plan,
  extension,
  objects,
  torch,
}:
runStep {
  name = "${kernel}-${plan.variant}-extension";
  script = ./link.sh;
  tools = [ toolchain ];
  env = {
    inherit
      extension
      objects
      pythonHeaders
      glibcStubs
      ;
    nameSource = ./name.c;
    module = if plan.link.module then "1" else "";
    libraryFolders = map (folder: "-L${folder}") (
      [ "${torch}/lib/python3.11/site-packages/torch/lib" ]
      ++ map (package: "${cudaPackages.${package}}/lib") plan.link.packages
    );
    libraries = map (library: "-l${library}") plan.link.libraries;
  };
}
