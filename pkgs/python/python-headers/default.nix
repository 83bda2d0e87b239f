# `pythonHeaders`: Python's C headers without Python, so that objects do not depend on Python itself.
{ python, runStep, unpackDebs, architecture }:
let
  inherit (python) pythonVersion;
in
runStep {
  name = "python-${pythonVersion}-headers";
  script = ./pick.sh;
  env = {
    inherit (architecture) triple;
    inherit pythonVersion;
    tree = unpackDebs {
      name = "python-headers-debs";
      packages = [ "libpython${pythonVersion}-dev" ];
    };
  };
}
