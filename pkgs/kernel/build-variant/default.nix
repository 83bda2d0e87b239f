# One variant of a kernel, from its plan to the folder that is published: extension, Python files and generated files.
# The folder is assembled in one derivation and checked in others, and exists only if all checks pass.
{
  lib,
  buildExtension,
  collectFindings,
  commandLineFiles,
  listChecks,
  planPackages,
  runPython,
  toolkitPackages,
}:
let
  inherit (builtins) toJSON;
  inherit (lib.values.attributes) optionalAttrs;
  inherit (lib.values.lists) optionals unique;
  inherit (commandLineFiles) opsTemplates;
  # Read once for all variants.
  script = lib.values.paths.alone ./assemble.py;
in
/**
  `fileOf` maps a file of the kernel to its store path, and `definingFiles` are those that seem to define operators.
  `licences` are texts of licences by their names in the kernel, and `brought` the packages that have their own texts.
  `metadata` lacks only the name under which the build registers itself. `projects` are the Python projects that an import of the kernel needs, `isImported` says whether a check
  imports the kernel, `usesTriton` says whether its Python files import Triton, and `localKernels` is the value of
  LOCAL_KERNELS for its import. `sourcesOf` lists the sources of derivations.

  Type: buildVariant :: { plan :: Plan; options :: Options; fileOf :: String -> StorePath; definingFiles :: [String];
    licences :: { ${file} :: StorePath; }; brought :: [String]; pythonFiles :: StorePath; metadata :: AttrSet;
    provenance :: AttrSet; projects :: [String]; isImported :: Bool;
    usesTriton :: Bool; localKernels :: String; sourcesOf :: [Derivation] -> Derivation; } -> Derivation // {
    plan :: Plan; objects, steps, trials :: [Derivation]; assembled, sources, findings :: Derivation; reporting ::
    [String]; findingsOf :: [String] -> Derivation; identity :: AttrSet; }
*/
variant:
let
  inherit (variant) plan pythonFiles;
  name = "${plan.kernel}-${plan.variant}";

  # The name depends on the Python files, because two builds that differ only in these files must not register the same
  # operators.
  extension = buildExtension {
    inherit plan;
    inherit (variant) fileOf;
    content = [
      "${pythonFiles}"
      opsTemplates
    ];
  };
  hasModule = extension.module != null;
  # Stand-ins that compile the variant, in place of the toolkit in its name.
  standIns = unique (
    builtins.concatMap (package: optionals (package ? standIn) [ package.standIn ]) (
      builtins.attrValues toolkitPackages
    )
  );

  stated =
    variant.metadata
    // { id = extension.name; }
    // optionalAttrs (plan.compiled && standIns != [ ]) { stand-ins = standIns; };

  assemble =
    step: env:
    runPython {
      name = "${name}-${step}";
      inherit script;
      env = {
        step = "assemble";
        inherit (plan) pythonFolder;
      }
      // env;
    };
  # Nothing of it is compiled, so a check of the Python code can run beside the compiles.
  python = assemble "python-files" { inherit pythonFiles; };
  assembled = assemble "assembled" {
    pythonFiles = python;
    renderOps = commandLineFiles.ops;
    inherit (plan) pythonName;
    # Not among the content of the extension's name: no text changes what an operator does.
    licences = toJSON (
      variant.licences
      // builtins.listToAttrs (map (name: { inherit name; value = "${planPackages.headers.${name}}"; }) variant.brought)
    );
    extension = extension.name;
    extensionModule = if hasModule then "${extension.module}/${extension.module.file}" else "";
    metadata = toJSON stated;
    templates = opsTemplates;
  };
  # A check may write `operators.json`, facts about operators for the metadata.
  passed = listChecks (variant // { inherit python; inherit (extension) objects module; }) assembled;
  sources = variant.sourcesOf ([ assembled ] ++ passed);
  # The folders with warnings of compilers, the link and checks.
  reporting =
    map (object: { inherit (object) name; path = "${object.value.findings}"; }) (
      builtins.filter (object: object.value ? findings) extension.objects
    )
    ++ optionals hasModule [
      { name = "link"; path = "${extension.module.findings}"; }
    ]
    ++ map (check: { inherit (check) name; path = "${check}"; }) passed;
  collectFrom =
    steps:
    collectFindings { inherit name steps; id = extension.name; };
  findings = collectFrom reporting;
in
runPython {
  name = lib.values.storeName.sanitize name;
  script = ./publish.py;
  env = {
    step = "publish";
    # The provenance is added after the checks, so that a new commit does not repeat them.
    inherit assembled passed sources;
    provenance = toJSON variant.provenance;
  };
}
// {
  inherit assembled plan sources findings;
  # The part of the metadata that follows from the inputs, so that a build which was published before can be recognised
  # without building anything: `id` has a hash of all that is compiled and of the Python files. `licences` has the
  # SHA-256 of texts, but of those that the Python files bring themselves.
  identity = stated // {
    licences = builtins.mapAttrs (_: builtins.hashFile "sha256") (
      removeAttrs variant.licences (
        builtins.filter (name: builtins.pathExists "${pythonFiles}/licenses/${name}") (
          builtins.attrNames variant.licences
        )
      )
    );
  };
  # Findings of the steps with these hashes in the store, for a build of which another step failed.
  findingsOf =
    hashes:
    let
      hashOf = path: builtins.substring 0 32 (baseNameOf (builtins.unsafeDiscardStringContext path));
    in
    collectFrom (builtins.filter (step: builtins.elem (hashOf step.path) hashes) reporting);
  # Imports with the Torch and Triton of this build that only warn. The build does not need them.
  trials = builtins.concatMap (check: optionals (check ? trial) [ check.trial ]) passed;
  reporting = map (step: builtins.unsafeDiscardStringContext step.path) reporting;
  objects = map (object: object.value) extension.objects;
  steps = [ python assembled findings ] ++ passed ++ optionals hasModule [ extension.module ];
}
