# A Python package with a `.pth` file that adds the folder of a built variant to Python's path.
{ runStep, targetPython }:
/** Type: kernelOnPath :: Derivation -> Package */
variant:
runStep {
  name = "${variant.name}-on-path";
  script = ./install.sh;
  env = { inherit variant; inherit (targetPython) sitePackages; };
}
// { depends = [ ]; }
