# One variant of a kernel: from its plan to a checked folder.
{
  lib,
  buildExtension,
  assembleVariant,
  listChecks,
  opsTemplates,
  toolkitPackages,
}:
let
  inherit (builtins) attrValues concatMap;
  inherit (lib.values.attributes) optionalAttrs;
in
/**
  `fileOf` maps a file of the kernel to its store path, and `definingFiles` are those that seem to define operators.
  `metadata` lacks only the name under which the build registers itself. `projects` are the Python projects that an import of the kernel needs, `isImported` says whether a check
  imports the kernel, `usesTriton` says whether its Python files import Triton, and `localKernels` is the value of
  LOCAL_KERNELS for its import. `maxSize` is the largest allowed size in bytes, or null. `sourcesOf` lists the sources
  of derivations.

  Type: buildVariant :: { plan :: Plan; fileOf :: String -> StorePath; definingFiles :: [String];
    pythonFiles :: StorePath; metadata :: AttrSet; provenance :: AttrSet; projects :: [String]; isImported :: Bool;
    usesTriton :: Bool; localKernels :: String; maxSize :: Int | Null; sourcesOf :: [Derivation] -> Derivation; }
    -> Derivation // { plan :: Plan; objects, steps :: [Derivation]; sources :: Derivation; }
*/
{
  plan,
  fileOf,
  definingFiles,
  pythonFiles,
  metadata,
  provenance,
  projects,
  isImported,
  usesTriton,
  localKernels,
  maxSize,
  sourcesOf,
}:
let
  # The name depends on the Python files, because two builds that differ only in these files must not register the same
  # operators.
  extension = buildExtension {
    inherit plan fileOf;
    content = [
      "${pythonFiles}"
      opsTemplates
    ];
  };
  # Stand-ins that compile the variant, in place of the toolkit in its name.
  standIns = lib.values.lists.unique (
    concatMap (package: if package ? standIn then [ package.standIn ] else [ ]) (attrValues toolkitPackages)
  );
in
assembleVariant {
  inherit (plan)
    kernel
    variant
    pythonName
    pythonFolder
    ;
  inherit provenance pythonFiles sourcesOf;
  extension = extension.name;
  extensionModule = extension.module;
  metadata =
    metadata
    // {
      id = extension.name;
    }
    // optionalAttrs (plan.compiled && standIns != [ ]) { stand-ins = standIns; };
  checks = listChecks {
    inherit (extension) objects;
    inherit
      plan
      fileOf
      definingFiles
      projects
      isImported
      usesTriton
      localKernels
      maxSize
      ;
  };
}
// {
  inherit plan;
  objects = map (object: object.value) extension.objects;
}
