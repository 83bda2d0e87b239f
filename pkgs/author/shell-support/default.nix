# What an environment for working on a kernel has beside the author's packages: pytest knows
# the marker `kernels_ci`, and the GPU driver of the machine is found.
{ runStep }:
runStep {
  name = "shell-support";
  script = ./install.sh;
  env.site = ./site;
}
// {
  depends = [ ];
}
