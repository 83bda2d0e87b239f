# The hosts that a variant's sources come from: "registry" for package registries, which every machine
# can reach, or else a vendor's host. The pins of the wheels say which.
{ values, backends, ... }:
let
  inherit (builtins) fromJSON head match readFile;
  inherit (values) lists versions;

  registry = "registry";

  torchPins = fromJSON (readFile ./torch-pins.json);

  # The host that a Torch wheel comes from.
  findTorchHost =
    { torchBuild, backend, system, ... }:
    let
      pin = torchPins.${torchBuild}.${system} or null;
    in
    if pin == null then
      # A backend without languages runs on any Torch. Every other build without a pin comes from PyTorch's server.
      if backends.all.${backend}.languages == { } then registry else "download.pytorch.org"
    else if pin ? url && !(pin.registry or false) then
      head (match "https?://([^/]+)/.*" pin.url)
    else
      registry;

  # The host that a release of a backend's toolkit comes from. Compilers for the CPU come from registries, or are the
  # machine's own: a Mac has Xcode.
  findToolkitHost =
    backend: release:
    let
      of = backends.all.${backend};
      isWheel = release != null && of.toolkit.releases.${versions.majorMinor release}.kind or null == "wheel";
    in
    if isWheel then registry else of.host;
in
{
  /**
    The pinned Torch wheels: `{ ${build}.${system} = { file; sha256; version; url; registry; }; }`.
    `url` is the file's address at the vendor; `registry` says that registries have the same file.
  */
  inherit torchPins;

  /**
    Whether package registries have the Torch of a row, whatever its toolkit comes from.

    Type: hasTorchInRegistries :: Row -> Bool
  */
  hasTorchInRegistries = row: findTorchHost row == registry;

  /**
    All hosts of the sources of a row's variants, each once. `wheel` is the wheel that it names, as `readWheel` returns it.

    # Example

    ```nix
    listHosts { torchBuild = "2.13.0+cu126"; backend = "cuda"; toolkit = "12.6"; ptxas = null; system = "x86_64-linux"; }
    => [ "download.pytorch.org" "developer.download.nvidia.com" ]
    ```

    Type: listHosts :: { torchBuild, backend :: String; toolkit, ptxas :: String | Null; system :: String;
      wheel ? :: AttrSet; … } -> [String]
  */
  listHosts =
    { backend, toolkit, ptxas, ... }@row:
    lists.unique (
      row.wheel.hosts or [ (findTorchHost row) ]
      ++ [ (findToolkitHost backend toolkit) ]
      ++ lists.optional (ptxas != null) (findToolkitHost backend ptxas)
    );
}
