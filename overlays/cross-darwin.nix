# The differences of macOS from another processor (cross.nix), where Linux builds for it: no emulator runs its programs, and every
# step is one of Linux.
build: final: _: {
  inherit (build) runtime pythonHeaders targetPythonWith;
  toolchain = final.macToolchain;
  hostAccess = { };
}
