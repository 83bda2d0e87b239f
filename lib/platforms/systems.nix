# The systems that kernels have variants for. Builds run on the same systems. systems.json has all that depends on one.
_:
let
  inherit (builtins) attrNames fromJSON readFile;

  self = {
    /** The System of each name. docs/data.md describes its fields. */
    table = fromJSON (readFile ./systems.json);

    /** The names of all systems, sorted. */
    all = attrNames self.table;

    /**
      Whether a system is macOS.

      Type: isDarwin :: String -> Bool
    */
    isDarwin = system: self.table.${system}.os == "darwin";

    /**
      The systems that a machine builds for: its own, and the systems that it has a cross compiler for.

      # Example

      ```nix
      listBuildableSystems "x86_64-linux" => [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ]
      ```

      Type: listBuildableSystems :: String -> [String]
    */
    listBuildableSystems = system: [ system ] ++ self.table.${system}.cross;
  };
in
self
