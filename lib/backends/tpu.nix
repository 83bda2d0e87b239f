# Google's tensor processors: kernels without compiled code.
_: {
  systems = [ "x86_64-linux" ];
  host = "registry";
  preference = 6;
  compute = "tpu";
  # Newer ones are handed to the machine by VFIO.
  isPresent = "[ -e /dev/accel0 ] || [ -e /dev/vfio/0 ]";
}
