# `newerNix`: Nix 2.34 with its libraries from Debian's packages, for machines whose Nix is older than the fixes of
# CVE-2024-27297. With Debian 12's Nix 2.8.0, a fixed-output derivation can change its output after Nix has checked the
# hash.
{ debianProgram }:
debianProgram {
  name = "newer-nix";
  script = ./assemble.sh;
  pins = ./pins.json;
}
