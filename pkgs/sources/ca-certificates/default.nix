# `caCertificates`: Mozilla's certificates as one file, for the packaged pip.
{ runStep, unpackDebs }:
runStep {
  name = "ca-bundle.crt";
  script = ./join.sh;
  env.tree = unpackDebs {
    name = "ca-certificates-deb";
    packages = [ "ca-certificates" ];
  };
}
