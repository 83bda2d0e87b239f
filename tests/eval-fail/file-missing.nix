(import ../../lib).config.buildToml.readConfig { root = ./kernels/no-build-toml; }
