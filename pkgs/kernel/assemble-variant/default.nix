# One variant as it is published: the extension, the Python files, the generated parts.
# It is assembled, checked, and only then there: what fails a check is no variant.
{
  lib,
  runPython,
}:
/**
  `extensionModule` is null for a kernel without compiled code; `checks` are functions from
  the assembled folder to a derivation that fails if something is wrong with it, and may have
  `operators.json`, the schemas of its operators, for the metadata;
  `provenance` goes into the metadata after the checks, so that a new commit checks nothing again.

  # Type

  ```
  assembleVariant :: {
    kernel, variant, pythonName, pythonFolder, extension :: String; pythonFiles :: StorePath; extensionModule :: Derivation | Null;
    metadata, provenance :: AttrSet; checks :: [Derivation -> Derivation];
  } -> Derivation
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
      templates = ./templates;
    };
  };
in
runPython {
  name = lib.storeName.sanitize "${kernel}-${variant}";
  script = ./publish.py;
  env = {
    inherit assembled;
    passed = map (check: check assembled) checks;
    provenance = builtins.toJSON provenance;
  };
}
