# A package set for macOS: the machine's own programs and a Python for macOS replace Debian's packages.
final: _: {
  busybox = final.hostTools;
  bash = final.hostTools;
  toolchain = final.xcode;
  python = final.macPython;
  pythonHeaders = final.macPython.dev;
  inherit (final.macPython) pip;
  caCertificates = final.macPython.certificates;
  unpackWheel = final.macWheel;
}
