# A section of a component without sources, as the library makes it, with some fields replaced. A test that writes a
# section itself breaks with each new key.
library: overrides:
builtins.head (library.config.sections.listSections {
  root = ./relu;
  config = {
    framework = null;
    general.backends = [ "cpu" ];
    components.part = {
      backend = "cpu";
      depends = [ ];
      src = [ ];
      include = [ ];
    };
  };
})
// overrides
