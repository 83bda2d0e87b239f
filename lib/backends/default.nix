# What depends on the backend, one file a backend. Each is a table:
#
# - `definitions`: macros that every unit of a variant of this backend sees;
# - `languages`: file ending -> { compiler; flags; }, for the endings it can compile;
# - `libraries`: Torch's libraries that the extension is linked with.
_: {
  cpu = import ./cpu.nix;
}
