(import ../../lib).config.readConfig {
  root = builtins.path {
    path = ./kernels/no-package;
    name = "source";
  };
}
