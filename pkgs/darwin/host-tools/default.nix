# What macOS has, in the place of busybox: its shell and the small tools of all builders.
{
  lib,
  system,
  hostAccess,
}:
derivation (
  {
    name = "host-tools";
    inherit system;
    builder = "/bin/sh";
    args = [
      "-eu"
      (lib.values.paths.alone ./link.sh)
    ];
    time = lib.values.paths.alone ./time.sh;
    PATH = "/usr/bin:/bin";
  }
  // hostAccess
)
