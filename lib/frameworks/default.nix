# What depends on the framework that a kernel is written for, in one file for each; its keys are in
# config/schema/frameworks.nix. What the fields are is told in docs/data.md; those that a framework
# leaves out are here.
library:
let
  # The list of frameworks, in the order in which messages name them.
  files = {
    torch = ./torch.nix;
    torch-noarch = ./torch-noarch.nix;
    tvm-ffi = ./tvm-ffi.nix;
  };

  # Called with what the file says, so that a field that no one reads is an error.
  complete =
    {
      folder,
      isCompiled ? true,
      isOfTorch ? false,
      isCompiledAlone ? false,
      pythonDepends ? [ ],
      depends ? [ ],
      bindingDepends ? [ ],
      nameMacro ? null,
      label ? null,
      linked ? null,
      ending ? null,
      exports ? null,
    }:
    {
      inherit
        folder
        isCompiled
        isOfTorch
        isCompiledAlone
        pythonDepends
        depends
        bindingDepends
        nameMacro
        label
        linked
        ending
        exports
        ;
    };
in
builtins.mapAttrs (name: file: complete (import file library) // { inherit name; }) files
