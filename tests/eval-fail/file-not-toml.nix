(import ../../lib).config.readConfig { root = ./kernels/not-toml; }
