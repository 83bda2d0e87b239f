# A variant as it is published: extension, Python files and generated files. It is assembled in one
# derivation and checked in others, and exists only if all checks pass.
{
  lib,
  opsTemplates,
  runPython,
}:
/**
  `extensionModule` is null without compiled code. `checks` are functions from the assembled folder to a derivation that
  fails if a check does; its `operators.json`, if there is one, has schemas of operators for the metadata. `provenance`
  and the hash of `sources`, the list of sources, are added to the metadata after the checks, so that a new commit does
  not repeat the checks.

  Type: assembleVariant :: { kernel, variant, pythonName, pythonFolder, extension :: String; pythonFiles :: StorePath;
    extensionModule :: Derivation | Null; metadata, provenance :: AttrSet; checks :: [Derivation -> Derivation];
    sourcesOf :: [Derivation] -> Derivation; } -> Derivation // { sources :: Derivation; steps :: [Derivation]; }
*/
{
  kernel,
  variant,
  pythonName,
  pythonFolder,
  extension,
  pythonFiles,
  extensionModule,
  metadata,
  provenance,
  checks,
  sourcesOf,
}:
let
  assembled = runPython {
    name = "${kernel}-${variant}-assembled";
    script = ./assemble.py;
    env = {
      inherit
        extension
        pythonFiles
        pythonFolder
        pythonName
        ;
      extensionModule = if extensionModule == null then "" else "${extensionModule}/${extensionModule.file}";
      metadata = builtins.toJSON metadata;
      templates = opsTemplates;
    };
  };
  passed = map (check: check assembled) checks;
  sources = sourcesOf ([ assembled ] ++ passed);
in
runPython {
  name = lib.values.storeName.sanitize "${kernel}-${variant}";
  script = ./publish.py;
  env = {
    inherit assembled passed sources;
    provenance = builtins.toJSON provenance;
  };
}
// {
  inherit sources;
  steps = [ assembled ] ++ passed ++ (if extensionModule == null then [ ] else [ extensionModule ]);
}
