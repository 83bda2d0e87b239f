{ matrix, ... }:
let
  inherit (matrix) row;
  cpu = {
    torchVersion = "2.13";
    cpu = true;
    systems = [ "x86_64-linux" ];
  };
  cuda = removeAttrs cpu [ "cpu" ] // {
    cudaVersion = "13.0";
  };
  check = value: map (problem: "${problem.at}: ${problem.found}") (row.checkRow { at = "x"; } value);
  ats = value: map (problem: problem.at) (row.checkRow { at = "x"; } value);
  read = value: builtins.head (row.readRow value);
in
{
  checkRow = {
    smallest = {
      expr = map ats [
        cpu
        cuda
        (cuda // { cpu = false; metal = null; })
        (cuda // { cxx11Abi = true; tvmFfiVersion = "0.1"; ptxasVersion = "12.8"; })
      ];
      expected = [
        [ ]
        [ ]
        [ ]
        [ ]
      ];
    };
    everything = {
      expr = ats {
        torchVersion = 2.13;
        cudaVersion = "11.8";
        ptxasVersion = "1.0";
        systems = [ "riscv64-linux" ];
        bundleBuild = "yes";
        cxx11Abi = false;
        abi = 1;
      };
      expected = [
        "x.abi"
        "x.bundleBuild"
        "x.cudaVersion"
        "x.cxx11Abi"
        "x.ptxasVersion"
        "x.systems[0]"
        "x.torchVersion"
      ];
    };
    backends = {
      expr = map check [
        (removeAttrs cpu [ "cpu" ])
        (cpu // { cpu = false; })
        (cuda // { cpu = true; })
        (cpu // { cpu = "yes"; })
        (cpu // { ptxasVersion = "12.8"; })
      ];
      expected = [
        [ "x: a row without a backend" ]
        [ "x: a row without a backend" ]
        [ "x.cpu, x.cudaVersion: a row for 2 backends" ]
        [ "x.cpu: \"yes\"" ]
        [ "x.ptxasVersion: an unknown key" ]
      ];
    };
    functions = {
      expr = ats (cuda // { cudaVersion = a: a; });
      expected = [ "x.cudaVersion" ];
    };
    notASet = {
      expr = ats "2.13";
      expected = [ "x" ];
    };
    missing = {
      expr = ats { };
      expected = [
        "x.systems"
        "x.torchVersion"
        "x"
      ];
    };
    wheel = {
      expr = map (wheel: ats (cpu // { inherit wheel; })) [
        null
        { url = "http://wheels.example/torch.whl"; }
      ];
      expected = [
        [ ]
        [
          "x.wheel.build"
          "x.wheel.file"
          "x.wheel.hash"
          "x.wheel.url"
        ]
      ];
    };
  };
  readRow = {
    wholeRecord = {
      expr = row.readRow (cuda // { bundleBuild = true; });
      expected = [
        {
          system = "x86_64-linux";
          torch = "2.13.0";
          backend = "cuda";
          toolkit = "13.0";
          ptxas = null;
          compute = "cu130";
          bundle = true;
          hosts = [ "registry" ];
          torchBuild = "2.13.0+cu130";
        }
      ];
    };
    oneForEachSystem = {
      expr = map (row: row.system) (
        row.readRow (
          cpu
          // {
            systems = [
              "aarch64-linux"
              "x86_64-linux"
            ];
          }
        )
      );
      expected = [
        "aarch64-linux"
        "x86_64-linux"
      ];
    };
    spellings = {
      expr =
        map
          (more: {
            inherit (read (cuda // more)) torch toolkit ptxas;
          })
          [
            {
              torchVersion = " 2.013";
              cudaVersion = "13";
              ptxasVersion = "013.2";
            }
            {
              torchVersion = "2";
              cudaVersion = "13.00.1";
            }
            { torchVersion = "2.13.1"; }
          ];
      expected = [
        {
          torch = "2.13.0";
          toolkit = "13.0";
          ptxas = "13.2";
        }
        {
          torch = "2.0.0";
          toolkit = "13.0";
          ptxas = null;
        }
        {
          torch = "2.13.1";
          toolkit = "13.0";
          ptxas = null;
        }
      ];
    };
    falseIsNoBackend = {
      expr = (read (cuda // { cpu = false; })).backend;
      expected = "cuda";
    };
    wheel = {
      expr =
        let
          found = read (
            cpu
            // {
              wheel = {
                build = "2.16.0.dev20261101+cpu";
                file = ../kernels/wheels/torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl;
              };
            }
          );
        in
        [
          found.torchBuild
          found.bundle
          (read (cpu // { wheel = null; }) ? wheel)
        ];
      expected = [
        "2.16.0.dev20261101+cpu"
        false
        false
      ];
    };
  };
}
