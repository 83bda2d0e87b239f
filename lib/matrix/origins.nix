# Hosts that the sources of a variant come from: "registry" for package registries, which every
# machine reaches, else the host of a vendor. The pins of the wheels decide.
{ values, platforms, backends, matrix, ... }:
let
  inherit (builtins)
    all
    attrNames
    compareVersions
    filter
    fromJSON
    head
    match
    readFile
    sort
    splitVersion
    ;
  inherit (values) lists versions;
  inherit (platforms) systems;
  inherit (matrix) names;

  registry = "registry";
  # Apple's compiler is not in the package set; the machine has it.
  xcodeHost = "developer.apple.com";

  self = {
    /**
      The pinned Torch wheels: `{ ${build}.${system} = { file; sha256; version; url; registry; }; }`.
      `url` is the address of the vendor; `registry` says that registries have the same file.
    */
    torchPins = fromJSON (readFile ./torch-pins.json);

    /** The builds of Torch that kernels are built for, as matrix.json lists them. */
    knownRows = fromJSON (readFile ./matrix.json);

    /**
      The toolkit of the Torch that a variant is compiled and imported with. It is the variant's own toolkit, unless the
      Torch is older than every Torch that is built with it, and the backend's releases work together. Then it is the
      newest older toolkit of the same major version that this Torch is built with.

      # Example

      ```nix
      findTorchToolkit { torch = "2.15.0"; backend = "cuda"; toolkit = "13.5"; }
      => "13.2"
      ```

      # Type

      ```
      findTorchToolkit :: { torch, backend :: String; toolkit :: String | Null; } -> String | Null
      ```
    */
    findTorchToolkit =
      {
        torch,
        backend,
        toolkit,
      }:
      let
        kit = backends.all.${backend}.toolkit;
        sameBackend = filter (row: row.backend == backend) self.knownRows;
        withToolkit = filter (row: row.toolkit == toolkit) sameBackend;
        isAhead = all (row: compareVersions torch row.torch < 0) withToolkit;
        major = head (splitVersion toolkit);
        isOlder =
          release:
          versions.atLeast major release
          && versions.atMost major release
          && compareVersions release toolkit < 0;
        hasTorch =
          release:
          self.torchPins ? ${
            names.nameTorchBuild {
              inherit torch;
              compute = names.nameCompute {
                inherit backend;
                toolkit = release;
              };
            }
          };
        older = sort (a: b: compareVersions a b > 0) (
          filter (release: isOlder release && hasTorch release) (attrNames kit.releases)
        );
      in
      if kit == null || !kit.isMinorCompatible || hasTorch toolkit || !isAhead || older == [ ] then
        toolkit
      else
        head older;

    /**
      The build of Torch that a row is compiled and imported with. `wheel` is the wheel that the row names, as
      `readWheel` returns it.

      # Type

      ```
      findTorchBuild :: { torch, backend :: String; toolkit :: String | Null; wheel :: AttrSet ?; } -> String
      ```
    */
    findTorchBuild =
      { torch, backend, toolkit, ... }@row:
      names.nameTorchBuild (
        row
        // {
          compute = names.nameCompute {
            inherit backend;
            toolkit = self.findTorchToolkit { inherit torch backend toolkit; };
          };
        }
      );

    /**
      Whether the toolkit of a row is newer than that of the Torch that it is compiled and imported with. Hub
      clients load no such variant.

      # Type

      ```
      isToolkitAhead :: SystemRow -> Bool
      ```
    */
    isToolkitAhead = row: row.torchBuild != names.nameTorchBuild row;

    /**
      The host that a Torch wheel comes from.

      # Type

      ```
      findTorchHost :: { torch, backend :: String; toolkit :: String | Null; system :: String; } -> String
      ```
    */
    findTorchHost =
      {
        torch,
        backend,
        toolkit,
        system,
      }:
      let
        build = self.findTorchBuild { inherit torch backend toolkit; };
        pin = self.torchPins.${build}.${system} or null;
      in
      if pin == null then
        # A backend without a compiler runs on any Torch; a build without a pin is one of the vendor's.
        if backends.all.${backend}.languages == { } then registry else "download.pytorch.org"
      else if pin ? url && !(pin.registry or false) then
        head (match "https?://([^/]+)/.*" pin.url)
      else
        registry;

    /**
      The host that a release of a backend's toolkit, or macOS's compiler, comes from.

      # Type

      ```
      findToolkitHost :: { backend, system :: String; toolkit :: String | Null; } -> String
      ```
    */
    findToolkitHost =
      {
        backend,
        system,
        toolkit,
      }:
      let
        inherit (backends.all.${backend}) host;
        release =
          if toolkit == null then
            { }
          else
            backends.all.${backend}.toolkit.releases.${versions.majorMinor toolkit} or { };
      in
      if systems.isDarwin system then
        xcodeHost
      else if release.kind or null == "wheel" then
        registry
      else
        host;

    /**
      All hosts of a variant's sources, each once. `wheel` is the wheel that its row names, as `readWheel` returns it.

      # Example

      ```nix
      listHosts { torch = "2.13.0"; backend = "cuda"; toolkit = "12.6"; ptxas = null; system = "x86_64-linux"; }
      => [ "download.pytorch.org" "developer.download.nvidia.com" ]
      ```

      # Type

      ```
      listHosts :: { torch, backend :: String; toolkit, ptxas :: String | Null; system :: String; wheel :: AttrSet | Null ? null; } -> [String]
      ```
    */
    listHosts =
      {
        torch,
        backend,
        toolkit,
        ptxas,
        system,
        wheel ? null,
      }:
      lists.unique (
        (
          if wheel != null then
            wheel.hosts
          else
            [
              (self.findTorchHost {
                inherit
                  torch
                  backend
                  toolkit
                  system
                  ;
              })
            ]
        )
        ++ [ (self.findToolkitHost { inherit backend system toolkit; }) ]
        ++ lists.optionals (ptxas != null) [
          (self.findToolkitHost {
            inherit backend system;
            toolkit = ptxas;
          })
        ]
      );
  };
in
self
