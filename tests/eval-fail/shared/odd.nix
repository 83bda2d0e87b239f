# Reads a whole build.toml as if it lay in tests/unit/kernels/odd, which has
# sources, a text file and links to another kernel.
text:
(import ../../../lib).config.buildToml.readConfig {
  root = ../../unit/kernels/odd;
  inherit text;
}
