# Python's C headers, apart from Python: an object needs no more of it.
{
  runStep,
  unpackDebs,
  architecture,
}:
runStep {
  name = "python-3.11-headers";
  script = ./pick.sh;
  env = {
    inherit (architecture) triple;
    tree = unpackDebs {
      name = "python-headers-debs";
      packages = [ "libpython3.11-dev" ];
    };
  };
}
