"""The command line of kernel-builder: it runs Nix, moves sources into the store and reports.

No build logic lives here; what is built, and how, is decided by `lib/` and `pkgs/`.
"""

from kernel_builder._version import __version__ as __version__
