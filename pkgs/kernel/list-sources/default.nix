# The sources of a variant as a CycloneDX list with hashes.
{ lib, runPython }:
/**
  `derivations` make and check the variant, `files` maps the kernel's files to store paths, `component` has
  the kernel's `name`, and `version`, `license` and `upstream` or null, and `provenance` has the commits of
  kernel and builder.

  Type: listSources :: { variant :: String; derivations :: [Derivation]; files :: { ${file} :: StorePath; };
    component, provenance :: AttrSet; } -> Derivation
*/
{ variant, derivations, files, component, provenance }:
runPython {
  name = lib.values.storeName.sanitize "${component.name}-${variant}-sources";
  script = ./list.py;
  env = {
    step = "sources";
    inherit variant;
    # The step reads all `.drv` files, which only the evaluating machine has.
    preferLocalBuild = true;
    # The step depends on the `.drv` files and not on their outputs, so it builds and fetches nothing.
    derivations = map (each: builtins.unsafeDiscardOutputDependency each.drvPath) derivations;
    files = builtins.toJSON files;
    passAsFile = [ "files" ];
    component = builtins.toJSON component;
    provenance = builtins.toJSON provenance;
  };
}
