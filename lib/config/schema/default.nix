# Every key of build.toml, once.
#
# Validation, defaults, "did you mean", the documentation and the JSON Schema
# for editors are all readings of this table. What a key is made of says section.nix.
{ tables, backends, frameworks, ... }:
let
  inherit (tables.reader) declareSection;
  parts = {
    backends = backends.all;
    inherit declareSection;
  };

  edition = 5;
in
{
  /** All backends, sorted. */
  backends = builtins.attrNames backends.all;

  /** The newest edition of build.toml; a file that states none is read as this one. */
  inherit edition;

  /** The framework sections, of which a kernel has exactly one. */
  frameworks = builtins.attrNames frameworks.all;

  /** Every section by its dotted name; `kernel.NAME` stands for any number of them. */
  sections =
    import ./general.nix (parts // { inherit edition; })
    // import ./frameworks.nix parts
    // {
      "kernel.NAME" = import ./component.nix parts;
    };
}
