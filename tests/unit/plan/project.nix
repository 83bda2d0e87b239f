{ plan, ... }:
let
  kernel = plan.kernel.readKernel { root = ../../golden/five; torchVersions = defaults: defaults; brought = [ ]; };
  planProject =
    name:
    plan.project.planProject {
      inherit (kernel) config;
      inherit (builtins.head (builtins.filter (variant: variant.name == name) kernel.variants)) plan;
      pythonDepends = [ ];
    };
  cuda = planProject "torch213-cxx11-cu130-x86_64-linux";
in
{
  planProject = {
    nameStaysTheSame = [ [ cuda.extension cuda.file ] [ "_five_cuda_dev" "_five_cuda_dev.abi3.so" ] ];
    flagsOfBuildsAreLeftOut = [
      (builtins.any (unit: builtins.any (flag: builtins.match "-frandom-seed.*" flag != null) unit.flags) cuda.units)
      false
    ];
  };
}
