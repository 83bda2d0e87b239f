# Google's tensor processors: kernels without compiled code.
_: {
  systems = [ "x86_64-linux" ];
  preference = 6;
  # Newer devices are passed to the machine by VFIO.
  isPresent = "[ -e /dev/accel0 ] || [ -e /dev/vfio/0 ]";
}
