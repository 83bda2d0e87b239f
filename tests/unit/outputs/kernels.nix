{ kernels, platforms, values, ... }:
let
  path = ../kernels;
  # A stand-in for genKernelFlakeOutputs: a bundle, shells for kernels of one system, and its own arguments.
  generate =
    { path, broken ? false, shell ? true, ... }@arguments:
    {
      legacyPackages = values.attributes.generate platforms.systems.all (_: { archVariants = [ ]; }) // {
        x86_64-linux = {
          bundle.drvPath = "${baseNameOf path}.drv";
          archVariants = if shell then [ "torch-cpu" ] else [ ];
          backendBundle.cpu = { };
          inherit arguments;
        };
      };
      devShells.x86_64-linux =
        if broken then
          throw "broken"
        else if shell then
          { default = "shell"; }
        else
          { };
    };
  flake = kernels.makeKernelsOutputs generate {
    inherit path;
    self = toString ./..;
    kernelArguments = { flash-norm.shell = false; relu.broken = true; };
  };
  packages = flake.legacyPackages.x86_64-linux;
in
{
  makeKernelsOutputs = {
    # `nix build .#relu` builds the bundle, and `.#relu.NAME` another output.
    bundleWithOutputs = [
      {
        inherit (packages.relu) drvPath;
        arguments = packages.relu.arguments // { path = baseNameOf packages.relu.arguments.path; self = null; };
      }
      { drvPath = "relu.drv"; arguments = { broken = true; path = "relu"; self = null; }; }
    ];
    # `odd` and `wheels` have no build.toml, and `small-matrix.nix` is a file.
    folders = [ (builtins.attrNames packages) [ "ciMatrix" "flash-norm" "kernelFolders" "relu" ] ];
    matrix = [
      packages.ciMatrix
      [ { name = "relu"; system = "x86_64-linux"; kernel = "kernels/relu"; backends = [ "cpu" ]; } ]
    ];
    matrixOfEverySystem = [ (flake.legacyPackages.aarch64-darwin.ciMatrix == packages.ciMatrix) true ];
    # The command line compares them with the folder of build.toml.
    places = [
      (values.attributes.generate [ "flash-norm" "relu" ] (name: baseNameOf packages.kernelFolders.${name}))
      { flash-norm = "flash-norm"; relu = "relu"; }
    ];
    # flash-norm has no variant here; relu is broken, and says so where it is used.
    shells = [ (builtins.attrNames flake.devShells.x86_64-linux) [ "relu" ] ];
  };
}
