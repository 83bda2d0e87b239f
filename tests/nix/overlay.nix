# Adds the packages of `packages/` to a package set. A kernel's flake may take this overlay, too: see docs/guide/rocm.md.
import ../../overlays/group.nix { folder = ./packages; }
