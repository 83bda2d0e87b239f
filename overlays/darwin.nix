# A package set for macOS: what the machine has, and a Python of its own, in the place of Debian's packages.
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
