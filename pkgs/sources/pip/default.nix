# pip as Debian packs it, a folder to put on Python's path: what fetches wheels.
# It needs no wheel itself, so the first wheel can be fetched.
{ runStep, unpackDebs }:
runStep {
  name = "pip-bootstrap";
  script = ./unpack.sh;
  env.tree = unpackDebs {
    name = "pip-deb";
    packages = [ "python3-pip-whl" ];
  };
}
