# Reads a whole build.toml as if it lay in tests/unit/kernels/relu.
text:
(import ../../../lib).config.buildToml.readConfig {
  root = ../../unit/kernels/relu;
  inherit text;
}
