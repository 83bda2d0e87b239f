# The parts of a CUDA capability: "9.0a+PTX" has major "9", number "9.0", suffix "a", and PTX. The suffix "f" stands for
# the devices of a family, and "a" for one device.
target:
let
  inherit (builtins) elemAt;
  parts = builtins.match "(([0-9]+)[.]([0-9]))([af]?)([+]PTX)?" target;
  suffix = elemAt parts 3;
in
{
  inherit suffix;
  major = elemAt parts 1;
  number = elemAt parts 0;
  # As in the names of nvcc's architectures: sm_90a.
  digits = "${elemAt parts 1}${elemAt parts 2}";
  hasPtx = elemAt parts 4 != null;
}
