# The hosts that a variant's sources come from: "registry" for package registries, which every machine
# can reach, or else a vendor's host. The pins of the wheels say which.
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
      `url` is the file's address at the vendor; `registry` says that registries have the same file.
    */
    torchPins = fromJSON (readFile ./torch-pins.json);

    /** The builds of Torch that kernels are built for, as matrix.json lists them. */
    knownRows = fromJSON (readFile ./matrix.json);

    /**
      The toolkit of the Torch build that a variant is compiled and imported with. Usually this is the variant's own
      toolkit.

      It is an older toolkit if no build of this Torch has the variant's toolkit, all builds that have it are of newer
      versions of Torch, and the backend's releases are compatible (`isMinorCompatible`). The function then returns
      the newest older toolkit of the same major version for which this Torch has a build.

      # Example

      ```nix
      findTorchToolkit { torch = "2.15.0"; backend = "cuda"; toolkit = "13.5"; }
      => "13.2"
      ```

      Type: findTorchToolkit :: { torch, backend :: String; toolkit :: String | Null; } -> String | Null
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

      Type: findTorchBuild :: { torch, backend :: String; toolkit :: String | Null; wheel :: AttrSet ?; } -> String
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
      Whether a row's toolkit is newer than the toolkit of the Torch build that it is compiled and imported with.
      Hub clients do not load such a variant.

      Type: isToolkitAhead :: SystemRow -> Bool
    */
    isToolkitAhead = row: row.torchBuild != names.nameTorchBuild row;

    /**
      The host that a Torch wheel comes from.

      Type: findTorchHost :: { torch, backend :: String; toolkit :: String | Null; system :: String; } -> String
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
        # A backend without languages runs on any Torch. Every other build without a pin comes from PyTorch's server.
        if backends.all.${backend}.languages == { } then registry else "download.pytorch.org"
      else if pin ? url && !(pin.registry or false) then
        head (match "https?://([^/]+)/.*" pin.url)
      else
        registry;

    /**
      The host that a release of a backend's toolkit, or macOS's compiler, comes from.

      Type: findToolkitHost :: { backend, system :: String; toolkit :: String | Null; } -> String
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

      Type: listHosts :: { torch, backend :: String; toolkit, ptxas :: String | Null; system :: String;
        wheel :: AttrSet | Null ? null; } -> [String]
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
