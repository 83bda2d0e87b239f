# One variant of a kernel: from its plan to objects, extension, published folder.
{
  lib,
  backends,
  planPackages,
  pythonPackages,
  toolkitPackages,
  torch,
  tritonBeside,
  compileUnit,
  assembleVariant,
  opsTemplates,
  checkAbi,
  checkImport,
  checkLayout,
  checkRegistration,
  checkSize,
}:
/**
  `fileOf` maps a file of the kernel to its store path; `metadata` lacks only the name under
  which the build registers itself; `projects` are those of Python that it is imported with,
  `usesTriton` says whether its Python files import Triton, `localKernels` is LOCAL_KERNELS for its import;
  `maxSize` is the number of bytes that it may have, or null;
  `sourcesOf` lists what some derivations are made from.

  # Type

  ```
  buildVariant :: {
    plan :: Plan; fileOf :: String -> StorePath; pythonFiles :: StorePath; metadata :: AttrSet;
    provenance :: AttrSet; projects :: [String]; isImported :: Bool; usesTriton :: Bool; localKernels :: String;
    maxSize :: Int | Null;
    sourcesOf :: [Derivation] -> Derivation;
  } -> Derivation // { plan :: Plan; objects, steps :: [Derivation]; sources :: Derivation; }
  ```
*/
{
  plan,
  fileOf,
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
  inherit (builtins)
    attrValues
    concatLists
    elemAt
    filter
    genList
    hashString
    intersectAttrs
    length
    listToAttrs
    substring
    toJSON
    unsafeDiscardStringContext
    ;

  registration = lib.values.paths.alone ../compile/link-extension/registration.h;

  compileAs = extension: compileUnit { inherit plan fileOf registration extension; };
  linkAs =
    extension: objects:
    backends.${plan.backend}.link {
      inherit plan extension;
      objects = map (object: object.value) (concatLists objects);
      folders = planPackages.libraries;
    };

  # The name comes from the derivation that would build the module without one: whatever goes
  # into a build, the tools and their scripts as well, goes into its name. So the same content
  # has the same name, and any other content another. A precompiled header changes no object, so no name.
  unnamed = map (unit: compileAs "unnamed" (unit // { precompiled = null; })) plan.units;
  content = toJSON {
    module = if plan.compiled then (linkAs "unnamed" unnamed).drvPath else plan.variant;
    modules = "${pythonFiles}";
    templates = opsTemplates;
  };
  uid = substring 0 16 (hashString "sha256" (unsafeDiscardStringContext content));
  extension = "${plan.extensionPrefix}${uid}";

  # Only units that have to know the name are other ones with it, or that have a header precompiled.
  objects = genList (
    number:
    let
      unit = elemAt plan.units number;
    in
    if unit.extensionName == "own" || unit.precompiled != null then
      compileAs extension unit
    else
      elemAt unnamed number
  ) (length plan.units);

  name = "${plan.kernel}-${plan.variant}";

  linkedPackages =
    if plan.compiled then
      lib.values.attributes.generate plan.link.packages (package: planPackages.libraries.${package})
    else
      { };
  linked = attrValues linkedPackages;

  # Those that look at the compiled code, and those that a Torch of this Python is needed for.
  abi = checkAbi {
    inherit name;
    inherit (plan) variant;
    torch = if lib.frameworks.all.${plan.framework}.isOfTorch then torch else null;
    objects = listToAttrs (concatLists objects);
    packages = linked;
  };
  import' = checkImport {
    inherit name torch localKernels;
    inherit (plan) backend pythonFolder;
    pythonDepends =
      filter (project: pythonPackages ? ${project}) projects
      ++ (if usesTriton || mayUseTriton then tritonBeside plan.torchBuild else [ ]);
    packages = linked;
    inherit standIns;
    sources = lib.values.attributes.generate (concatLists (
      map (unit: [ unit.source ] ++ unit.headers) plan.units
    )) fileOf;
  };
  inherit (lib.backends.all.${plan.backend}) runtime;
  standIns =
    if runtime == null then
      null
    else
      {
        # Torch's own is small, and is not pinned for each of them.
        runtime = torch.companions.${runtime.project} or toolkitPackages.${runtime.package};
        packages = attrValues (
          removeAttrs (intersectAttrs toolkitPackages linkedPackages) [ runtime.package ]
        );
      };
  # What else is imported may rely on the Triton that Torch's wheel asks for.
  mayUseTriton = standIns != null && (projects != [ ] || localKernels != "");
in
assembleVariant {
  inherit (plan)
    kernel
    variant
    pythonName
    pythonFolder
    ;
  inherit
    extension
    provenance
    pythonFiles
    sourcesOf
    ;
  extensionModule = if plan.compiled then linkAs extension objects else null;
  metadata = metadata // {
    id = extension;
  };
  checks = [
    (checkLayout {
      inherit name;
      inherit (plan) variant;
    })
    (checkRegistration {
      inherit name;
      inherit (plan) pythonFolder;
    })
  ]
  ++ (if maxSize == null then [ ] else [ (checkSize { inherit name maxSize; }) ])
  ++ (if plan.compiled then [ abi ] else [ ])
  ++ (if isImported then [ import' ] else [ ]);
}
// {
  inherit plan;
  objects = map (object: object.value) (concatLists objects);
}
