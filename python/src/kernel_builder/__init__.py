"""The command line of kernel-builder: it runs Nix, moves sources into the store and reports.

No build logic lives here; what is built, and how, is decided by `lib/` and `pkgs/`.
"""

__version__ = "0.1.0"
