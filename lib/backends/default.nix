# What depends on the backend, in one file or folder for each: nothing else in the library names
# one. What the fields are is told in docs/data.md; those that a backend leaves out are here.
library:
let
  # The list of backends.
  files = {
    cann = ./cann.nix;
    cpu = ./cpu.nix;
    cuda = ./cuda;
    metal = ./metal.nix;
    neuron = ./neuron.nix;
    rocm = ./rocm;
    tpu = ./tpu.nix;
    xpu = ./xpu;
  };

  # Called with what the file says, so that a field that no one reads is an error.
  complete =
    name:
    {
      systems,
      host,
      preference,
      compute,
      noarch ? name,
      isPresent,
      isEverywhere ? false,
      toolkit ? null,
      targets ? null,
      componentKeys ? { },
      generalKeys ? { },
      definitions ? [ ],
      packages ? { },
      runtime ? null,
      languages ? { },
      targetUse ? {
        words = [ ];
        headers = [ ];
      },
      passUse ? [ ],
      embedding ? [ ],
      onDarwin ? { },
      libraries ? [ ],
      linker ? null,
      deviceLink ? null,
    }:
    {
      inherit
        name
        systems
        host
        preference
        compute
        noarch
        isPresent
        isEverywhere
        toolkit
        targets
        componentKeys
        generalKeys
        definitions
        runtime
        languages
        targetUse
        passUse
        embedding
        onDarwin
        libraries
        linker
        deviceLink
        ;
      packages = builtins.mapAttrs (_: package: { alone = package.libraries; } // package) packages;
    };
in
builtins.mapAttrs (name: file: complete name (import file library)) files
