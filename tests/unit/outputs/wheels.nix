library:
let
  inherit (library.config) buildToml;
  inherit (library.outputs.wheels) describeVariants describeWheel;
  config = buildToml.readConfig { root = ../kernels/relu; };
  describe = describeAs false;
  describeAs =
    asVariant: variant:
    describeWheel {
      inherit asVariant config;
      variant = {
        name = "torch213-cxx11-cpu-x86_64-linux";
        backend = "cpu";
        compute = "cpu";
        system = "x86_64-linux";
        compiled = true;
        torch = "2.13.0";
        stableAbi = null;
      }
      // variant;
    };
  forCuda = {
    name = "torch213-cxx11-cu130-x86_64-linux";
    backend = "cuda";
    compute = "cu130";
    toolkit = "13.0";
  };
  # The name and place of a variant wheel, and what it is selected by.
  placeOf =
    variant:
    let
      wheel = describeAs true variant;
    in
    [
      wheel.version
      wheel.folder
      (if wheel.selection == null then null else wheel.selection.metadata.variants)
    ];
in
{
  describeWheel = {
    compiled = {
      expr = describe { };
      expected = {
        distribution = "relu";
        package = "relu";
        license = null;
        version = "1+torch213.cpu";
        label = "torch213.cpu";
        folder = "torch213.cpu";
        selection = null;
        tag = "cp39-abi3-manylinux_2_28_x86_64";
        requires = [ "torch==2.13.*" ];
      };
    };
    # All places that show the version have the same one if build.toml states none.
    withoutAVersion = {
      expr =
        let
          unstated = buildToml.readConfig {
            root = ../kernels/relu;
            text = builtins.replaceStrings [ "version = 1\n" ] [ "" ] (
              builtins.readFile ../kernels/relu/build.toml
            );
          };
          variant = {
            name = "torch213-cxx11-cpu-x86_64-linux";
            backend = "cpu";
            compute = "cpu";
            system = "x86_64-linux";
            compiled = true;
            torch = "2.13.0";
            stableAbi = null;
            targets = { };
            torchBuild = "2.13.0+cpu";
          };
        in
        [
          (describeWheel {
            config = unstated;
            inherit variant;
          }).version
          (library.outputs.metadata.makeMetadata {
            config = unstated;
            inherit variant;
          }).version
        ];
      expected = [
        "1+torch213.cpu"
        1
      ];
    };
    onTheStableAbi = {
      expr =
        let
          wheel = describe {
            name = "torch-stable-abi210-cpu-aarch64-linux";
            system = "aarch64-linux";
            stableAbi = "2.10";
          };
        in
        [
          wheel.version
          wheel.tag
          wheel.requires
        ];
      expected = [
        "1+torch.stable.abi210.cpu"
        "cp39-abi3-manylinux_2_28_aarch64"
        [ "torch>=2.10" ]
      ];
    };
    forMacs = {
      expr =
        (describe {
          name = "torch213-cpu-aarch64-darwin";
          system = "aarch64-darwin";
        }).tag;
      expected = "cp39-abi3-macosx_15_0_arm64";
    };
    withoutCompiledCode = {
      expr =
        let
          wheel = describe {
            name = "torch-cuda";
            compiled = false;
          };
        in
        [
          wheel.version
          wheel.tag
          wheel.requires
        ];
      expected = [
        "1+torch.cuda"
        "py3-none-any"
        [ "torch" ]
      ];
    };
    asVariantForEveryMachine = {
      expr = placeOf { };
      expected = [
        "1+torch213"
        "."
        { null = { }; }
      ];
    };
    asVariantForAToolkit = {
      expr = placeOf forCuda;
      expected = [
        "1+torch213"
        "."
        { cu130.nvidia.cuda_version_lower_bound = [ "13.0" ]; }
      ];
    };
    asVariantWithoutProvider = {
      expr = placeOf {
        name = "torch213-cxx11-rocm72-x86_64-linux";
        backend = "rocm";
        compute = "rocm72";
        toolkit = "7.2";
      };
      expected = [
        "1+torch213.rocm72"
        "torch213.rocm72"
        null
      ];
    };
    asVariantWithoutCompiledCode = {
      expr = placeOf {
        name = "torch-cuda";
        backend = "cuda";
        compiled = false;
      };
      expected = [
        "1+torch.cuda"
        "torch.cuda"
        null
      ];
    };
  };
  describeVariants = {
    oneFileForEachVersion = {
      expr =
        builtins.mapAttrs (_: metadata: builtins.attrNames metadata.variants) (
          describeVariants (
            map (describeAs true) [
              { }
              forCuda
              {
                name = "torch-stable-abi210-cpu-x86_64-linux";
                stableAbi = "2.10";
              }
            ]
            ++ [ (describe { }) ]
          )
        );
      expected = {
        "relu-1+torch.stable.abi210-variants.json" = [ "null" ];
        "relu-1+torch213-variants.json" = [
          "cu130"
          "null"
        ];
      };
    };
  };
}
