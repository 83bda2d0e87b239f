# All that evaluation can say of a kernel: every variant with its plan.
{ root }:
let
  lib = import ../../lib;
  kernel = lib.plan.kernel.readKernel {
    inherit root;
    torchVersions = defaults: builtins.filter (row: row.torchVersion == "2.11") defaults;
    brought = [ ];
  };
in
{
  inherit (kernel.config) warnings;
  variants = map (variant: {
    inherit (variant) name warnings problems;
    units = builtins.length variant.plan.units;
  }) kernel.variants;
}
