(import ../../lib).config.readConfig { root = ./kernels/no-package; }
