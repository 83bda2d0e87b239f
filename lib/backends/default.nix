# What depends on the backend, in one file or folder for each: nothing else in the library names
# one. What the fields are is told in docs/data.md; those that a backend leaves out are here.
library:
let
  # The list of backends.
  files = {
    cpu = ./cpu.nix;
    cuda = ./cuda;
    metal = ./metal.nix;
    rocm = ./rocm;
    xpu = ./xpu.nix;
  };

  # Called with what the file says, so that a field that no one reads is an error.
  complete =
    {
      systems,
      host,
      preference,
      compute,
      isPresent,
      isEverywhere ? false,
      toolkit ? null,
      targets ? null,
      componentKeys ? { },
      generalKeys ? { },
      definitions ? [ ],
      packages ? { },
      languages ? { },
      targetUse ? {
        words = [ ];
        headers = [ ];
      },
      libraries ? [ ],
      linker ? null,
    }:
    {
      inherit
        systems
        host
        preference
        compute
        isPresent
        isEverywhere
        toolkit
        targets
        componentKeys
        generalKeys
        definitions
        packages
        languages
        targetUse
        libraries
        linker
        ;
    };
in
builtins.mapAttrs (name: file: complete (import file library) // { inherit name; }) files
