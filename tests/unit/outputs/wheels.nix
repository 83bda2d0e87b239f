library:
let
  inherit (library.config) buildToml;
  inherit (library.outputs.wheels) describeWheel;
  config = buildToml.readConfig { root = ../kernels/relu; };
  cpu = {
    name = "torch213-cxx11-cpu-x86_64-linux"; backend = "cpu"; compute = "cpu";
    system = "x86_64-linux"; compiled = true; torch = "2.13.0"; stableAbi = null;
  };
  describe = variant: describeWheel { inherit config; variant = cpu // variant; };
in
{
  describeWheel = {
    compiled = [
      (describe { })
      {
        distribution = "relu"; package = "relu"; license = null; version = "1+torch213.cpu";
        label = "torch213.cpu"; tag = "cp39-abi3-manylinux_2_28_x86_64";
        requires = [ "torch==2.13.*" ];
      }
    ];
    # All places that show the version have the same one if build.toml states none.
    withoutAVersion = [
      (let
        unstated = buildToml.readConfig {
          root = ../kernels/relu;
          text = builtins.replaceStrings [ "version = 1\n" ] [ "" ] (builtins.readFile ../kernels/relu/build.toml);
        };
        variant = cpu // { targets = { }; torchBuild = "2.13.0+cpu"; };
      in
      [
        (describeWheel { config = unstated; inherit variant; }).version
        (library.outputs.metadata.makeMetadata { config = unstated; inherit variant; }).version
      ])
      [ "1+torch213.cpu" 1 ]
    ];
    onTheStableAbi = [
      (let
        wheel = describe {
          name = "torch-stable-abi210-cpu-aarch64-linux";
          system = "aarch64-linux";
          stableAbi = "2.10";
        };
      in
      [ wheel.version wheel.tag wheel.requires ])
      [ "1+torch.stable.abi210.cpu" "cp39-abi3-manylinux_2_28_aarch64" [ "torch>=2.10" ] ]
    ];
    forMacs = [
      (describe { name = "torch213-cpu-aarch64-darwin"; system = "aarch64-darwin"; }).tag
      "cp39-abi3-macosx_15_0_arm64"
    ];
    # The client loads these kernels.
    withKernelDepends = [
      (describeWheel {
        config = config // {
          general = config.general // { kernel-depends = [ { repo-id = "me/other"; version = 1; } ]; };
        };
        variant = cpu;
      }).requires
      [ "torch==2.13.*" "kernels" ]
    ];
    withoutCompiledCode = [
      (let
        wheel = describe { name = "torch-cuda"; compiled = false; };
      in
      [ wheel.version wheel.tag wheel.requires ])
      [ "1+torch.cuda" "py3-none-any" [ "torch" ] ]
    ];
  };
}
