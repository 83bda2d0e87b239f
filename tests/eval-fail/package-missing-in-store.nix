(import ../../lib).config.buildToml.readConfig {
  root = builtins.path { path = ./kernels/no-package; name = "source"; };
}
