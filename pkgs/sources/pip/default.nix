# pip from Debian's package, as a folder for Python's path. It fetches the wheels, so it cannot come from a wheel
# itself.
{ runStep, unpackDebs }:
runStep {
  name = "pip-bootstrap";
  script = ./unpack.sh;
  env.tree = unpackDebs { name = "pip-deb"; packages = [ "python3-pip-whl" ]; };
}
