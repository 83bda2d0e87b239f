# Adapts a plan to a project for CMake and setuptools: one call of a compiler compiles all targets of a unit, and the
# extension's name stays the same when sources change, because such a project is built again and again.
{ values, ... }:
let
  inherit (builtins) concatMap;
  inherit (values.lists) optionals unique;
in
{
  /**
    The values that `create-pyproject` writes files from. `pythonDepends` are the Python projects that
    the kernel is imported with.

    Type: planProject :: { config :: Config; plan :: Plan; pythonDepends :: [String]; } -> AttrSet
  */
  planProject =
    { config, plan, pythonDepends }:
    let
      inherit (config) general;
      inherit (config.framework) isCompiled isOfTorch;
      extension = "_${general.python-name}_${plan.backend}_dev";
      fillName = map (builtins.replaceStrings [ "@extension@" ] [ extension ]);
    in
    {
      inherit extension;
      pythonDepends = optionals (isOfTorch || !isCompiled) [ "torch" ] ++ pythonDepends;
      inherit (plan) kernel torch variant generatedFolder pythonFolder pythonName;
      inherit (general) version;
      inherit (config) pyext;
      units = map (unit: {
        inherit (unit) source headers compiler;
        flags = fillName (unit.flags ++ unit.optionalFlags ++ unit.device.wholeFlags or [ ] ++ unit.nameFlags);
      }) plan.units;
      packages = unique (
        concatMap (unit: unit.packages) plan.units
        ++ optionals (plan.link != null) (plan.link.packages ++ [ config.framework.name ])
      );
      file = builtins.head (fillName [ (plan.link.file or "") ]);
      linkArguments = plan.link.arguments or [ ];
      nameFlags = fillName (plan.link.name.flags or [ ]);
      registrations = unique (
        [ "${plan.generatedFolder}/registration.h" ] ++ concatMap (unit: unit.registrations) plan.units
      );
    };
}
