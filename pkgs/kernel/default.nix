# One variant of a kernel: from its plan to objects, extension, published folder.
{
  lib,
  toolchain,
  pythonHeaders,
  pythonPackages,
  torch,
  compileObject,
  linkExtension,
  assembleVariant,
  checkImport,
}:
/**
  # Type

  ```
  buildVariant :: {
    root :: Path; config :: Config; variant :: Variant; scanned :: { graph; headers; };
    provenance :: AttrSet; doGetKernelCheck :: Bool;
  } -> Derivation // { plan :: Plan; objects :: [Derivation]; }
  ```
*/
{
  root,
  config,
  variant,
  scanned,
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

  plan = lib.plan.planVariant { inherit config variant scanned; };

  # Each file is a store path of its own, and only those that a unit reaches are read.
  files = file: lib.paths.alone (root + "/${file}");

  modules = lib.modules.filesOf { inherit root config; };

  registration = lib.paths.alone ../kernel-extension/registration.h;

  names = lib.plan.namesOf {
    inherit config variant;
    content = unsafeDiscardStringContext (toJSON {
      inherit plan;
      sources = map (unit: map files ([ unit.source ] ++ unit.headers)) plan.units;
      modules = "${modules}";
      tools = [
        "${toolchain}"
        "${torch}"
        registration
      ];
    });
  };

  objects = map (
    unit:
    compileObject {
      kernel = general.name;
      inherit unit files registration;
      inherit (plan) generatedFolder;
      inherit (names) extension;
      headersOf = {
        torch = torch.dev;
        python = pythonHeaders;
      };
    }
  ) plan.units;

  backendOptions = general.${variant.backend} or { };
  pythonDepends = general.python-depends ++ (backendOptions.python-depends or [ ]);
  kernelDepends = general.kernel-depends ++ (backendOptions.kernel-depends or [ ]);
  optional = name: value: if value == null then { } else { ${name} = value; };

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
        linkExtension {
          kernel = general.name;
          inherit plan objects torch;
          inherit (names) extension;
        };
    metadata = {
      id = names.extension;
      inherit (general) name version;
      python-depends = pythonDepends;
      backend = {
        type = variant.backend;
      };
    }
    // optional "license" general.license
    // optional "upstream" general.upstream
    // optional "source" general.source
    // (if kernelDepends == [ ] then { } else { kernel-depends = kernelDepends; });
    checks =
      if doGetKernelCheck then
        [
          (checkImport {
            name = "${general.name}-${variant.name}";
            inherit (variant) backend;
            inherit torch;
            pythonDepends = filter (project: pythonPackages ? ${project}) pythonDepends;
          })
        ]
      else
        [ ];
  };
in
published
// {
  inherit plan objects;
}
