# One variant as it is published: the extension, the Python files, the generated parts.
# It is assembled, checked, and only then there: what fails a check is no variant.
{
  lib,
  opsTemplates,
  runPython,
}:
/**
  `extensionModule` is null for a kernel without compiled code; `checks` are functions from
  the assembled folder to a derivation that fails if something is wrong with it, and may have
  `operators.json`, the schemas of its operators, for the metadata;
  `provenance` goes into the metadata after the checks, so that a new commit checks nothing again;
  so does the hash of the list of sources, `sources`, which covers what the checks are made from.

  # Type

  ```
  assembleVariant :: {
    kernel, variant, pythonName, pythonFolder, extension :: String; pythonFiles :: StorePath; extensionModule :: Derivation | Null;
    metadata, provenance :: AttrSet; checks :: [Derivation -> Derivation];
    sourcesOf :: [Derivation] -> Derivation;
  } -> Derivation // { sources :: Derivation; steps :: [Derivation]; }
  ```
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
