# What depends on the backend: one file each, all of one shape.
#
# - `definitions`: macros that every unit of a variant of this backend sees;
# - `packages`: those whose headers a unit may see beside what it depends on;
# - `languages`: file ending -> `{ compiler; standard; flags; packages; }`: who compiles such
#   a file, in which spelling of the language standard, with which flags, and which
#   packages it always sees;
# - `targetFlags`: flags for the targets (capabilities, architectures) of a component;
# - `libraries`: Torch's libraries that the extension is linked with, `packageLibraries`
#   those of a package that a unit uses;
# - `linker`: the program that links it, with its flags.
_: {
  cpu = import ./cpu.nix;
  cuda = import ./cuda.nix;
  metal = import ./metal.nix;
  rocm = import ./rocm.nix;
  xpu = import ./xpu.nix;
}
