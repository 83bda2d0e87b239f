# The extension of a variant: its objects, its name, and the library that is linked from both.
#
# The name ends with a hash of everything that is built: two builds of a kernel may be loaded in one process, and must
# not register the same operators. The hash is of the path of a derivation that nobody builds: the extension with the
# name "unnamed". Units that do not contain the name are the same derivations in both.
{ lib, backends, buildSet, system, unitInputs }:
/**
  `fileOf` maps a file of the kernel to its store path. `content` has the paths of everything in the
  variant that is not compiled.

  Type: buildExtension :: { plan :: Plan; fileOf :: String -> StorePath; content :: [String]; } -> { name :: String;
    objects :: [{ name :: String; value :: Derivation; }]; module :: Derivation | Null; }
*/
{ plan, fileOf, content }:
let
  inherit (builtins) concatMap;
  backend = backends.${plan.backend};
  registration = lib.values.paths.alone ./link-extension/registration.h;

  compileAs =
    extension:
    let
      named = { inherit plan fileOf registration extension; };
      prepare = unitInputs named;
      prepareOnBuild = buildSet.unitInputs named;
    in
    unit:
    let
      prepared = prepare unit;
    in
    backend.compile {
      inherit unit;
      prepared = prepared // {
        inherit (plan) generatedFolder;
        onBuild = if buildSet.system == system then prepared else prepareOnBuild unit;
        embedded = map (unit: {
          inherit unit;
          prepared = prepare unit;
        }) (builtins.filter (other: builtins.elem other.source unit.embeds) plan.units);
      };
    };
  compileUnnamed = compileAs "unnamed";
  compileNamed = compileAs name;
  link =
    extension: objects:
    backend.link {
      inherit plan extension;
      objects = map (object: object.value) objects;
    };

  # A precompiled header does not change an object, so the name does not depend on it.
  unnamed = map (unit: {
    inherit unit;
    objects = compileUnnamed (unit // { precompiled = null; });
  }) plan.units;
  module = link "unnamed" (concatMap (each: each.objects) unnamed);
  hash = builtins.hashString "sha256" (
    builtins.unsafeDiscardStringContext (
      builtins.toJSON (content ++ [ (if plan.compiled then module.drvPath else plan.variant) ])
    )
  );

  name = "${plan.extensionPrefix}${builtins.substring 0 16 hash}";
  objects = concatMap (
    each:
    if each.unit.needsName || each.unit.precompiled != null then
      compileNamed each.unit
    else
      each.objects
  ) unnamed;
in
{ inherit name objects; module = if plan.compiled then link name objects else null; }
