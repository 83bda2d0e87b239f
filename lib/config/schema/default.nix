# Every key of build.toml, once.
#
# Validation, defaults, "did you mean", the documentation and the JSON Schema
# for editors are all readings of this table. A key is
# `{ type; meaning; since; required; default; allowed; pattern; form; backends; }`:
# `type` names an entry of types.nix; `allowed` and `pattern` speak of each
# element where the type is a list, and `form` says the pattern in words;
# `backends` says for which backends a key of a component exists (null: all of
# them); `since` is the first edition with the key.
{ backends, ... }:
{
  /** All backends, sorted. */
  backends = builtins.attrNames backends;

  /** The newest edition of build.toml; a file that states none is read as this one. */
  edition = 5;

  /** The framework sections, of which a kernel has exactly one. */
  frameworks = [
    "torch"
    "torch-noarch"
    "tvm-ffi"
  ];

  /** Every section by its dotted name; `kernel.NAME` stands for any number of them. */
  sections =
    import ./general.nix { inherit backends; }
    // import ./frameworks.nix { inherit backends; }
    // {
      "kernel.NAME" = import ./component.nix { inherit backends; };
    };
}
