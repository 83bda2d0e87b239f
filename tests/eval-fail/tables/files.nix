# Folders that lack a file, or in which it is empty.
builtins.mapAttrs (_: root: ((import ../../../lib).config.buildToml.inspectConfig { inherit root; }).problems) {
  empty = ../kernels/empty;
  missing = ../kernels/no-build-toml;
  package-missing-in-store = builtins.path { path = ../kernels/no-package; name = "source"; };
}
