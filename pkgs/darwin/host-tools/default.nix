# `hostTools`: The shell and small tools of macOS, which replace busybox.
{ lib, system, hostAccess }:
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
