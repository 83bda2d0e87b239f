# One variant of a kernel: from its plan to objects, extension, published folder.
{
  lib,
  pythonPackages,
  torch,
  cudaPackages,
  importObstacle,
  compileUnit,
  linkExtension,
  assembleVariant,
  checkAbi,
  checkImport,
  checkLayout,
  checkRegistration,
}:
/**
  # Type

  ```
  buildVariant :: {
    root :: Path; config :: Config; variant :: Variant; graph :: Graph;
    provenance :: AttrSet; doGetKernelCheck :: Bool;
  } -> Derivation // { plan :: Plan; objects :: [Derivation]; }
  ```
*/
{
  root,
  config,
  variant,
  graph,
  provenance,
  doGetKernelCheck,
}:
let
  inherit (builtins)
    filter
    toJSON
    unsafeDiscardStringContext
    ;
  inherit (config) general;

  plan = lib.plan.planVariant { inherit config variant graph; };

  modules = lib.pythonFiles.filesOf { inherit root config; };

  registration = lib.paths.alone ../compile/link-extension/registration.h;

  compileAs =
    extension:
    compileUnit {
      kernel = general.name;
      inherit plan registration extension;
      # Each file is a store path of its own, and only those that a unit reaches are read.
      fileOf = file: graph.${file}.inStore;
    };
  linkAs =
    extension: objects:
    linkExtension {
      kernel = general.name;
      inherit plan torch extension;
      objects = map (object: object.value) (builtins.concatLists objects);
    };

  # The name comes from the derivation that would build the module without one: whatever goes
  # into a build, the tools and their scripts as well, goes into its name.
  unnamed = map (compileAs "unnamed") plan.units;
  names = lib.plan.namesOf {
    inherit config variant;
    content = unsafeDiscardStringContext (toJSON {
      module = if plan.units == [ ] then variant.name else (linkAs "unnamed" unnamed).drvPath;
      modules = "${modules}";
      templates = lib.paths.alone ./assemble-variant/templates;
    });
  };

  # Only units that have to know the name are other ones with it.
  objects = builtins.genList (
    number:
    let
      unit = builtins.elemAt plan.units number;
    in
    if unit.extensionName == "own" then
      compileAs names.extension unit
    else
      builtins.elemAt unnamed number
  ) (builtins.length plan.units);

  backendOptions = general.${variant.backend} or { };
  pythonDepends = general.python-depends ++ (backendOptions.python-depends or [ ]);
  kernelDepends = general.kernel-depends ++ (backendOptions.kernel-depends or [ ]);
  optional = name: value: if value == null then { } else { ${name} = value; };

  # All that any component of it was compiled for.
  targets = builtins.attrNames (
    lib.attributes.fromNames (
      builtins.concatLists (builtins.attrValues variant.targets)
    )
  );

  checkedName = "${general.name}-${variant.name}";

  published = assembleVariant {
    kernel = general.name;
    variant = variant.name;
    pythonName = general.python-name;
    inherit (names) extension;
    inherit modules provenance;
    extensionModule =
      if plan.units == [ ] then
        null
      else
        linkAs names.extension objects;
    metadata = {
      id = names.extension;
      inherit (general) name;
      # The public client refuses metadata without these two.
      version = if general.version == null then 1 else general.version;
      license = if general.license == null then "unknown" else general.license;
      python-depends = pythonDepends;
      backend = {
        type = variant.backend;
      }
      // (if targets == [ ] then { } else { archs = targets; });
    }
    // optional "upstream" general.upstream
    // optional "source" general.source
    // (if kernelDepends == [ ] then { } else { kernel-depends = kernelDepends; });
    checks = [
      (checkLayout {
        name = checkedName;
        variant = variant.name;
      })
      (checkRegistration {
        name = checkedName;
        pythonName = general.python-name;
      })
    ]
    ++ (
      if plan.units == [ ] then
        [ ]
      else
        [
          (checkAbi {
            name = checkedName;
            variant = variant.name;
            inherit torch;
            objects = builtins.listToAttrs (builtins.concatLists objects);
            packages = map (package: cudaPackages.${package}) plan.link.packages;
          })
        ]
    )
    ++ (
      if doGetKernelCheck && importObstacle (lib.names.torchBuildOf variant) == null then
        [
          (checkImport {
            name = checkedName;
            inherit (variant) backend;
            inherit torch;
            pythonDepends = filter (project: pythonPackages ? ${project}) pythonDepends;
          })
        ]
      else
        [ ]
    );
  };
in
published
// {
  inherit plan;
  objects = map (object: object.value) (builtins.concatLists objects);
}
