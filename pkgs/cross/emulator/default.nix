# What runs programs of the kernel's processor on the build machine: one static program out of
# Debian's package of many.
{
  runStep,
  buildSet,
  architecture,
}:
runStep {
  name = "qemu-${architecture.machine}";
  script = ./pick.sh;
  env = {
    inherit (architecture) machine;
    archive = buildSet.debs.qemu-user-static;
  };
}
