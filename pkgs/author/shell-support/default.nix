# A Python package of every shell and test environment: it registers pytest's marker `kernels_ci`, and finds the
# machine's GPU driver.
{ python, runStep }:
runStep {
  name = "shell-support";
  script = ./install.sh;
  env = {
    inherit (python) sitePackages;
    site = ./site;
  };
}
// {
  depends = [ ];
}
