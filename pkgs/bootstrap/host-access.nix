# `hostAccess`: Attributes of a derivation that needs programs of the build machine. On macOS only the machine has the
# compilers, so steps run outside of Nix's sandbox there (nix.conf: `sandbox = relaxed`, or no sandbox).
{ lib, system }: if lib.platforms.systems.isDarwin system then { __noChroot = true; } else { }
