(import ../../lib).config.buildToml.readConfig { root = ./kernels/empty; }
