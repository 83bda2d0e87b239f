# What checks are run with, the same for all kernels.
{ pythonWith }:
pythonWith {
  name = "check-python";
  packages = [
    "abi3info"
    "auditwheel"
    "kernels"
  ];
}
