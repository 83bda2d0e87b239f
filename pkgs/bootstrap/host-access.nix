# What a derivation has to say to reach programs of the machine, as attributes of it. On macOS the compilers can only be the
# machine's own, so that Nix has to let steps out of its sandbox there (nix.conf: `sandbox = relaxed`, or none).
{ lib, system }: if lib.platforms.systems.isDarwin system then { __noChroot = true; } else { }
