# The package set of each system with the packages that only tests use: `nix-build tests/nix -A x86_64-linux.smoke.torch`.
builtins.mapAttrs (
  _: packages: (packages.extend (import ../../stand-ins).packages).extend (import ./overlay.nix)
) (import ../..).packages
