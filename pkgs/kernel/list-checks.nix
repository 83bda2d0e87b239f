# The checks that a variant has to pass, each a derivation.
{
  lib,
  planPackages,
  pythonPackages,
  targetPythonWith,
  toolkitPackages,
  torch,
  tritonBeside,
  checkAbi,
  checkImport,
  checkRegistration,
  listedChecks,
}:
/**
  `variant` is the argument of `buildVariant`, with the `objects` and the `module` of the extension and the folder `python` of its own
  Python files; `assembled` is its folder.

  Type: listChecks :: AttrSet -> Derivation -> [Derivation]
*/
variant: assembled:
let
  inherit (builtins) attrValues concatMap filter;
  inherit (variant) definingFiles localKernels plan projects;
  inherit (plan) runtime;
  inherit (lib.values.attributes) generate optionalAttrs;
  inherit (lib.values.lists) optionals unique;

  name = "${plan.kernel}-${plan.variant}";
  linkedPackages = optionalAttrs plan.compiled (
    generate plan.link.packages (package: planPackages.libraries.${package})
  );
  packages = attrValues linkedPackages;

  # Torch loads large libraries of its toolkit. The import check has the runtime and stand-ins for the others.
  standIns =
    if runtime == null then
      null
    else
      {
        # The runtime is small, but is not pinned for each build of Torch.
        runtime = builtins.head (
          filter (project: project != null) (map (project: torch.companions.${project} or null) runtime.projects)
          ++ [ toolkitPackages.${runtime.package} ]
        );
        packages = attrValues (
          removeAttrs (builtins.intersectAttrs toolkitPackages linkedPackages) [ runtime.package ]
        );
      };
  # Other imported projects may rely on the Triton that Torch's wheel asks for.
  usesTriton = variant.usesTriton || standIns != null && (projects != [ ] || localKernels != "");

  sources = unique (concatMap (unit: [ unit.source ] ++ unit.headers) plan.units ++ definingFiles);
  registration = checkRegistration {
    inherit name;
    inherit (plan) pythonFolder;
    modules = lib.config.dependencies.provided ++ concatMap (each: [ each.import ] ++ each.brings or [ ]) (
      filter (each: builtins.elem each.project projects) (
        attrValues lib.config.dependencies.table.python-depends
      )
    );
    sources = generate sources variant.fileOf;
  } variant.python;
in
[ registration ]
++ map (check: check assembled) (
  listedChecks { inherit name plan; }
  ++ optionals plan.compiled [
    (checkAbi {
      inherit name packages;
      inherit (plan) variant backend system;
      torch = if plan.isOfTorch then torch else null;
      objects = builtins.listToAttrs variant.objects;
    })
  ]
  ++ optionals variant.isImported [
    (checkImport {
      inherit name torch localKernels packages registration sources standIns targetPythonWith;
      inherit (plan) backend pythonFolder;
      boxed = if plan.compiled && plan.link.boxed != null then variant.module.boxed else null;
      pythonDepends =
        filter (project: pythonPackages ? ${project}) projects
        ++ optionals usesTriton (tritonBeside plan.torchBuild);
    })
  ]
)
