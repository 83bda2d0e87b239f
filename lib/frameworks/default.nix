# Everything that depends on a kernel's framework, in one file for each framework. The keys of its section are in
# config/schema/sections.json. docs/data.md describes the fields; their defaults are here.
library:
let
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
        sectionDepends = [ ];
        nameMacro = null;
        label = null;
        linked = null;
        ending = null;
        exports = null;
        module = null;
      };
    };
in
builtins.mapAttrs (name: file: complete name (import file library) // { inherit name; }) files
