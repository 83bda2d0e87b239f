# ocloc from Debian's packages, for machines that cannot reach the host of Intel's own build.
{ debianProgram }:
debianProgram {
  name = "debian-ocloc";
  script = ./assemble.sh;
  pins = ./pins.json;
}
