# Everything that depends on a kernel's framework: the fields that are data in frameworks.json, where their defaults
# are, too, and functions in one file for each framework. The keys of its section are in config/schema/sections.json.
# docs/data.md describes the fields.
library:
let
  inherit (builtins) fromJSON mapAttrs readFile;
  table = fromJSON (readFile ./frameworks.json);

  functions = {
    torch = import ./torch.nix library;
    tvm-ffi = import ./tvm-ffi.nix library;
  };

  complete =
    name: row:
    library.messages.records.completeRecord {
      at = "lib/frameworks/${name}";
      required = [ "folder" ];
      inherit (table) defaults;
    } (row // functions.${name} or { })
    // { inherit name; };
in
mapAttrs complete table.frameworks
