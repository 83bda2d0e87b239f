# The functions that replace CUDA's launch functions in a link.
{
  launchErrors,
  toolkit,
  toolkitPackages,
}:
launchErrors {
  name = "cuda-${toolkit}";
  source = ./launch-errors.cpp;
  headers = toolkitPackages.cuda.dev;
}
