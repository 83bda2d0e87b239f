# Errors for launches on a GPU that a kernel has no code for.
{
  lib,
  compileLaunchErrors,
  toolkit,
  toolkitPackages,
}:
compileLaunchErrors {
  name = "cuda-${toolkit}-launch-errors";
  source = lib.values.paths.alone ./launch-errors.cpp;
  headers = toolkitPackages.cuda.dev;
}
