# Everything that depends on the framework that a kernel is written for: one file for each framework. Its keys are in
# config/schema/frameworks.nix. docs/data.md describes the fields; their defaults are here.
library:
let
  # The list of frameworks, in the order in which messages name them.
  files = {
    torch = ./torch.nix;
    torch-noarch = ./torch-noarch.nix;
    tvm-ffi = ./tvm-ffi.nix;
  };

  complete =
    name:
    library.messages.records.completeRecord {
      at = "lib/frameworks/${name}.nix";
      required = [ "folder" ];
      defaults = {
        isCompiled = true;
        isOfTorch = false;
        isCompiledAlone = false;
        pythonDepends = [ ];
        depends = [ ];
        bindingDepends = [ ];
        nameMacro = null;
        label = null;
        linked = null;
        ending = null;
        exports = null;
      };
    };
in
builtins.mapAttrs (name: file: complete name (import file library) // { inherit name; }) files
