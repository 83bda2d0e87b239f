# The keys of build.toml. Validation, defaults, "did you mean", the documentation and the JSON Schema
# for editors are all derived from this table.
{ values, tables, backends, frameworks, ... }:
let
  inherit (tables.reader) declareSection;
  common = { backends = backends.all; inherit declareSection; };
  edition = 5;
in
{
  /** All backends, sorted. */
  backends = builtins.attrNames backends.all;

  /** The newest edition of build.toml, which is also the edition of a file that does not state one. */
  inherit edition;

  /** The framework sections. A kernel has exactly one of them. */
  frameworks = builtins.attrNames frameworks.all;

  /** Every section by its dotted name; `kernel.NAME` stands for any number of them. */
  sections =
    import ./general.nix (
      common
      // { inherit edition; inherit (values) repository; }
    )
    // import ./frameworks.nix common
    // { "kernel.NAME" = import ./component.nix common; };
}
