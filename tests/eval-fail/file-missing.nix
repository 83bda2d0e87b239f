(import ../../lib).config.readConfig { root = ./kernels/no-build-toml; }
