# The functions that replace HIP's launch functions in a link.
{
  launchErrors,
  toolkit,
  toolkitPackages,
}:
launchErrors {
  name = "rocm-${toolkit}";
  source = ./launch-errors.cpp;
  headers = toolkitPackages.hip.dev;
}
