# What a variant was built from, as a CycloneDX list with hashes.
{
  lib,
  pythonWith,
  runPython,
}:
/**
  `derivations` are those that make and check the variant; `files` maps the kernel's own files to their store paths;
  `component` has the kernel's `name`, and `version`, `license`, `upstream` or null;
  `provenance` says which commits are at work.

  # Type

  ```
  listSources :: {
    variant :: String; derivations :: [Derivation]; files :: { ${file} :: StorePath; };
    component, provenance :: AttrSet;
  } -> Derivation
  ```
*/
{
  variant,
  derivations,
  files,
  component,
  provenance,
}:
runPython {
  name = lib.values.storeName.sanitize "${component.name}-${variant}-sources";
  script = ./list.py;
  interpreter = pythonWith {
    name = "provenance-python";
    packages = [ "cyclonedx-python-lib" ];
  };
  env = {
    inherit variant;
    # It reads all `.drv` files, which are on the machine that evaluates.
    preferLocalBuild = true;
    # The `.drv` files themselves: reading them builds and fetches nothing.
    derivations = map (each: builtins.unsafeDiscardOutputDependency each.drvPath) derivations;
    files = builtins.toJSON files;
    component = builtins.toJSON component;
    provenance = builtins.toJSON provenance;
  };
}
