(import ../../lib).config.readConfig { root = ./kernels/empty; }
