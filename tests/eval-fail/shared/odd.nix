# Reads a build.toml with the sources of tests/unit/kernels/odd, which has a text file and links to another kernel.
text:
(import ../../../lib).config.buildToml.readConfig {
  root = ../../unit/kernels/odd;
  inherit text;
}
