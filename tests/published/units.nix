# The units with device code in a kernel's newest variant of a backend, and why those that are
# compiled whole are not taken apart. Null for a kernel without such a variant.
{
  root,
  kernel,
  system,
  backend,
}:
let
  inherit (builtins)
    compareVersions
    filter
    head
    sort
    ;

  project = import root;
  outputs =
    (project.lib.genKernelFlakeOutputs (import ./arguments.nix { inherit project kernel; }))
    .legacyPackages.${system};
  isNewer =
    a: b:
    let
      order = compareVersions a.torch b.torch;
    in
    order > 0 || (order == 0 && compareVersions a.toolkit b.toolkit > 0);
  variants = sort isNewer (
    filter (variant: variant.backend == backend && variant.compiled) outputs.variantDetails
  );
in
if variants == [ ] then
  null
else
  let
    variant = (head variants).name;
  in
  {
    inherit variant;
    units = map (unit: {
      inherit (unit) source;
      inherit (unit.device) whole;
    }) (filter (unit: unit.device != null) outputs.plan.${variant}.units);
  }
