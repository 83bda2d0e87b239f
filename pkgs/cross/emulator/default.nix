# The emulator, which runs programs of the kernel's processor on the build machine: one static program of Debian's
# package.
{ runStep, buildSet, architecture }:
runStep {
  name = "qemu-${architecture.machine}";
  script = ./pick.sh;
  env = { inherit (architecture) machine; archive = buildSet.debs.qemu-user-static; };
}
