# What the suites build upon, as `.drv` files, one a line: the Python of the tests first. Their
# sources are put into the store before the first suite runs.
let
  project = import ../.;
  system = builtins.currentSystem;
  packages = project.packages.${system};
  example =
    folder:
    (project.lib.${system}.kernelOutputs folder).bundleOf [ "torch213-cxx11-cpu-${system}" ];
in
builtins.concatStringsSep "\n" (
  map (package: package.drvPath) (
    [
      packages.testPython
      packages.pythonPackages.ninja
      (example ../examples/relu)
      (example ../examples/silu-and-mul)
    ]
    ++ builtins.attrValues packages.smoke
  )
)
