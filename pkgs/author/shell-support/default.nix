# `shellSupport`: A Python package of every shell and test environment: it registers pytest's marker `kernels_ci`, and
# finds the machine's GPU driver.
{ runStep, targetPython }:
runStep {
  name = "shell-support";
  script = ./install.sh;
  env = { inherit (targetPython) sitePackages; site = ./site; };
}
// { depends = [ ]; }
