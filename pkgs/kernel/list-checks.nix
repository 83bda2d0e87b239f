# The checks that a variant has to pass, each a function from the assembled folder to a derivation.
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
  checkLayout,
  checkRegistration,
  checkSize,
}:
/**
  `objects` are the objects of the extension. `buildVariant` explains the other arguments.

  Type: listChecks :: { plan :: Plan; objects :: [{ name :: String; value :: Derivation; }]; fileOf :: String
    -> StorePath; definingFiles :: [String]; projects :: [String]; isImported :: Bool; usesTriton :: Bool;
    localKernels :: String; maxSize :: Int | Null; } -> [Derivation -> Derivation]
*/
{
  plan,
  objects,
  fileOf,
  definingFiles,
  projects,
  isImported,
  usesTriton,
  localKernels,
  maxSize,
}:
let
  inherit (builtins)
    attrValues
    concatMap
    elem
    filter
    intersectAttrs
    listToAttrs
    ;
  inherit (plan) runtime;
  inherit (lib.values.attributes) generate optionalAttrs;
  inherit (lib.values.lists) optionals;

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
        runtime = torch.companions.${runtime.project} or toolkitPackages.${runtime.package};
        packages = attrValues (
          removeAttrs (intersectAttrs toolkitPackages linkedPackages) [ runtime.package ]
        );
      };
  # Other imported projects may rely on the Triton that Torch's wheel asks for.
  mayUseTriton = standIns != null && (projects != [ ] || localKernels != "");
in
[
  (checkLayout {
    inherit name;
    inherit (plan) variant backend compiled;
  })
  (checkRegistration {
    inherit name;
    inherit (plan) pythonFolder;
    modules = concatMap (each: [ each.import ] ++ each.brings or [ ]) (
      filter (each: elem each.project projects) (
        attrValues lib.config.dependencies.table.python-depends
      )
    );
  })
]
++ optionals (maxSize != null) [ (checkSize { inherit name maxSize; }) ]
++ optionals plan.compiled [
  (checkAbi {
    inherit name packages;
    inherit (plan) variant backend system;
    torch = if plan.isOfTorch then torch else null;
    objects = listToAttrs objects;
  })
]
++ optionals isImported [
  (checkImport {
    inherit
      name
      torch
      localKernels
      packages
      standIns
      targetPythonWith
      ;
    inherit (plan) backend pythonFolder;
    pythonDepends =
      filter (project: pythonPackages ? ${project}) projects
      ++ optionals (usesTriton || mayUseTriton) (tritonBeside plan.torchBuild);
    sources = generate (
      concatMap (unit: [ unit.source ] ++ unit.headers) plan.units ++ definingFiles
    ) fileOf;
  })
]
