# ocloc as Debian packs it, for machines that do not reach the host of Intel's own build:
# `overlays = [ (final: _: { xpuOcloc = final.xpuDebianOcloc; }) ]`.
{ debianProgram }:
debianProgram {
  name = "debian-ocloc";
  script = ./assemble.sh;
  pins = ./pins.json;
}
