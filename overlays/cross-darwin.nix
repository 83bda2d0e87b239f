# Changes to cross.nix for macOS kernels that a Linux machine builds: no emulator runs programs of macOS, and every
# build step runs on Linux.
build: final: _: {
  inherit (build) runtime pythonHeaders targetPythonWith;
  toolchain = final.macToolchain;
  hostAccess = { };
}
