# `runnableClang`: LLVM's clang and linker of Debian 13, made to run here. HIP merges the unpacked packages
# (debianClang) with its own instead.
{ debianProgram }:
debianProgram {
  name = "debian-clang";
  script = ./assemble.sh;
  pins = ../debian-clang/pins.json;
}
