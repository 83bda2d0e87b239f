# Reads a build.toml with the sources of tests/unit/kernels/relu.
text:
(import ../../../lib).config.buildToml.readConfig {
  root = ../../unit/kernels/relu;
  inherit text;
}
