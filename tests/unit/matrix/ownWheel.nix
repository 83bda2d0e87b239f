{ matrix, ... }:
let
  inherit (matrix) ownWheel;
  file = "torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl";
  address = {
    url = "https://wheels.example/nightly/torch.whl";
    hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  };
  fetched = address // {
    inherit file;
  };
  cpu = {
    torch = "2.16.0";
    backend = "cpu";
    toolkit = null;
    systems = [ "x86_64-linux" ];
  };
  cuda = cpu // {
    backend = "cuda";
    toolkit = "13.0";
  };
  rocm = cpu // {
    backend = "rocm";
    toolkit = "7.2";
  };
  check =
    row: wheel:
    map (problem: "${problem.at}: ${problem.want}") (
      ownWheel.checkWheel {
        at = "x";
        inherit row;
      } wheel
    );
  named = row: file: check row (address // { inherit file; });
  ats =
    wheel:
    map (problem: problem.at) (
      ownWheel.checkWheel {
        at = "x";
        row = cpu;
      } wheel
    );
  buildOf = row: file: (ownWheel.readWheel (row // { wheel = address // { inherit file; }; })).build;
in
{
  checkWheel = {
    fetched = {
      expr = check cpu fetched;
      expected = [ ];
    };
    ofTheFlake = {
      expr = check cpu { file = ../kernels/wheels + "/${file}"; };
      expected = [ ];
    };
    noFile = {
      expr = map ats [
        { file = ../kernels/wheels/no-such-file.whl; }
        { file = ../kernels/no-such-folder/torch.whl; }
        { file = ../kernels/wheels; }
        { inherit file; }
        { }
      ];
      expected = map (_: [ "x.file" ]) [ 1 2 3 4 5 ];
    };
    addressWithoutHash = {
      expr = ats (removeAttrs fetched [ "hash" ]);
      expected = [ "x.hash" ];
    };
    hashWithoutAddress = {
      expr = ats (removeAttrs fetched [ "url" ]);
      expected = [ "x.url" ];
    };
    unknownKey = {
      expr = ats (fetched // { sha256 = "0"; });
      expected = [ "x.sha256" ];
    };
    noSet = {
      expr = ats file;
      expected = [ "x" ];
    };
    otherAddresses = {
      expr = map (url: ats (fetched // { inherit url; })) [
        "http://wheels.example/torch.whl"
        "file:///torch.whl"
        "https://user:secret@wheels.example/torch.whl"
        "https://wheels.example/torch.whl?token=secret"
        "https://wheels.example/torch.whl\n"
      ];
      expected = map (_: [ "x.url" ]) [ 1 2 3 4 5 ];
    };
    otherHashes = {
      expr = map (hash: ats (fetched // { inherit hash; })) [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        "sha256-"
        "sha512-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
      ];
      expected = map (_: [ "x.hash" ]) [ 1 2 3 ];
    };
    otherNames = {
      expr = map (named cpu) [
        "torchvision-2.16.0-cp311-cp311-linux_x86_64.whl"
        "torch-2.16.0-py3-none-linux_x86_64.whl"
        "torch-2.16.0-cp313-cp313t-linux_x86_64.whl"
        "../torch-2.16.0-cp311-cp311-linux_x86_64.whl"
        "torch-2.16.0.tar.gz"
      ];
      expected = map (_: [
        "x.file: the name of a wheel of Torch: torch-VERSION-cp3N-ABI-PLATFORM.whl"
      ]) [ 1 2 3 4 5 ];
    };
    ofOtherRows = {
      expr = [
        (named cpu "torch-2.15.0+cpu-cp311-cp311-linux_x86_64.whl")
        (named cpu "torch-2.16.0+cu130-cp311-cp311-linux_x86_64.whl")
        (named cuda "torch-2.16.0+cu126-cp311-cp311-linux_x86_64.whl")
        (named rocm "torch-2.16.0+rocm7.1-cp311-cp311-linux_x86_64.whl")
        (named (rocm // { toolkit = "7.1"; }) "torch-2.16.0+rocm7.10-cp311-cp311-linux_x86_64.whl")
        (named (rocm // { toolkit = "7.1"; }) "torch-2.16.0+rocm710-cp311-cp311-linux_x86_64.whl")
        (named cpu "torch-2.16.0+cpu-cp311-cp311-linux_aarch64.whl")
        (named cpu "torch-2.16.0+cpu-cp311-cp311-musllinux_1_2_x86_64.whl")
        (named (cpu // { systems = [ "x86_64-linux" "aarch64-linux" ]; }) file)
      ];
      expected = [
        [ "x.file: a wheel of Torch 2.16.0" ]
        [ "x.file: a wheel for cpu" ]
        [ "x.file: a wheel for cu130" ]
        [ "x.file: a wheel for rocm72" ]
        [ "x.file: a wheel for rocm71" ]
        [ "x.file: a wheel for rocm71" ]
        [ "x.file: a wheel for x86_64-linux" ]
        [ "x.file: a wheel for x86_64-linux" ]
        [ "x: a row of one system: a wheel is for one" ]
      ];
    };
    ofTheRow = {
      expr = [
        (named cuda "torch-2.16.0-1-cp313-abi3-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl")
        (named cuda "torch-2.16.0+cu130.acme-cp311-cp311-manylinux_2_28_x86_64.whl")
        (named cuda "torch-2.16.0a0+b4e4ee81d3.nv25.12-cp312-cp312-linux_x86_64.whl")
        (named rocm "torch-2.16.0+rocm7.2.1-cp311-cp311-linux_x86_64.whl")
        (named rocm "torch-2.16.0+rocm72-cp311-cp311-linux_x86_64.whl")
        (named (cpu // { systems = [ "aarch64-darwin" ]; }) "torch-2.16.0-cp311-none-macosx_14_0_arm64.whl")
      ];
      expected = map (_: [ ]) [ 1 2 3 4 5 6 ];
    };
    besideOtherProblems = {
      expr = check null (fetched // { file = "torch-1.0-cp311-cp311-linux_x86_64.whl"; });
      expected = [ ];
    };
  };
  readWheel = {
    fetched = {
      expr = ownWheel.readWheel (cpu // { wheel = fetched; });
      expected = {
        build = "2.16.0.dev20261101+cpu";
        hosts = [ "wheels.example" ];
        pin = fetched // {
          version = "2.16.0.dev20261101+cpu";
        };
      };
    };
    ofTheFlake = {
      expr = (ownWheel.readWheel (cpu // { wheel.file = ../kernels/wheels + "/${file}"; })).hosts;
      expected = [ ];
    };
    differentForEachCompute = {
      expr = [
        (buildOf cuda "torch-2.16.0-cp311-cp311-linux_x86_64.whl")
        (buildOf cuda "torch-2.16.0+acme-cp311-cp311-linux_x86_64.whl")
        (buildOf cuda "torch-2.16.0+cu130.acme-cp311-cp311-linux_x86_64.whl")
      ];
      expected = [
        "2.16.0+cu130"
        "2.16.0+acme.cu130"
        "2.16.0+cu130.acme"
      ];
    };
  };
  makeWheels = {
    none = {
      expr = ownWheel.makeWheels [ cpu ];
      expected = { };
    };
    bySystem = {
      expr = builtins.mapAttrs (_: builtins.attrNames) (
        ownWheel.makeWheels [
          (cuda // { wheel = address // { file = "torch-2.16.0-cp311-cp311-linux_x86_64.whl"; }; })
          (
            cuda
            // {
              systems = [ "aarch64-linux" ];
              wheel = address // {
                file = "torch-2.16.0-cp311-cp311-linux_aarch64.whl";
              };
            }
          )
          cpu
        ]
      );
      expected."2.16.0+cu130" = [
        "aarch64-linux"
        "x86_64-linux"
      ];
    };
  };
}
