{ row, ... }:
let
  cpu = { torchVersion = "2.13"; cpu = true; systems = [ "x86_64-linux" ]; };
  cuda = removeAttrs cpu [ "cpu" ] // { cudaVersion = "13.0"; };
  ats = value: map (problem: problem.at) (row.checkRow "x" value);
  read = value: builtins.head (row.readRow value);
in
{
  checkRow = {
    smallest = [
      (map ats [
        cpu
        cuda
        (cuda // { cpu = false; metal = null; })
        (cuda // { cxx11Abi = true; tvmFfiVersion = "0.1"; ptxasVersion = "12.8"; })
      ])
      [ [ ] [ ] [ ] [ ] ]
    ];
    functions = [ (ats (cuda // { cudaVersion = a: a; })) [ "x.cudaVersion" ] ];
    wheel = [
      (map (wheel: ats (cpu // { inherit wheel; })) [ null { url = "http://wheels.example/torch.whl"; } ])
      [ [ ] [ "x.wheel.build" "x.wheel.file" "x.wheel.hash" "x.wheel.url" ] ]
    ];
  };
  readRow = {
    wholeRecord = [
      (row.readRow (cuda // { bundleBuild = true; }))
      [
        {
          system = "x86_64-linux"; torch = "2.13.0"; backend = "cuda"; toolkit = "13.0";
          named = "13.0"; ptxas = null; compute = "cu130"; bundle = true; hosts = [ "registry" ];
          torchBuild = "2.13.0+cu130";
        }
      ]
    ];
    oneForEachSystem = [
      (map (row: row.system) (row.readRow (cpu // { systems = [ "aarch64-linux" "x86_64-linux" ]; })))
      [ "aarch64-linux" "x86_64-linux" ]
    ];
    spellings = [
      (map
        (more: { inherit (read (cuda // more)) torch toolkit ptxas; })
        [
          { torchVersion = " 2.013"; cudaVersion = "13"; ptxasVersion = "013.2"; }
          { torchVersion = "2"; cudaVersion = "13.00.1"; }
          { torchVersion = "2.13.1"; }
        ])
      [
        { torch = "2.13.0"; toolkit = "13.0"; ptxas = "13.2"; }
        { torch = "2.0.0"; toolkit = "13.0"; ptxas = null; }
        { torch = "2.13.1"; toolkit = "13.0"; ptxas = null; }
      ]
    ];
    anotherCompiler = [
      (map
        (more: { inherit (read (cuda // { torchVersion = "2.10"; } // more)) compute hosts named toolkit torchBuild; })
        [ { cudaVersion = "12.8"; compilerVersion = "12.4"; } { cudaVersion = "12.4"; } ])
      (map
        (named: named // { hosts = [ "registry" ]; toolkit = "12.4"; torchBuild = "2.10.0+cu128"; })
        [ { compute = "cu128"; named = "12.8"; } { compute = "cu124"; named = "12.4"; } ])
    ];
    falseIsNoBackend = [ (read (cuda // { cpu = false; })).backend "cuda" ];
    # It has the names of its release, and no bundle has it, whatever a flake does with `defaults`.
    preRelease = [
      (let
        found = read (cuda // { torchVersion = "2.16"; pre = "2.16.0rc1"; bundleBuild = true; });
      in
      [ found.torch found.torchBuild found.bundle ])
      [ "2.16.0" "2.16.0rc1+cu130" false ]
    ];
    wheel = [
      (let
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
      [ found.torchBuild found.bundle (read (cpu // { wheel = null; }) ? wheel) ])
      [ "2.16.0.dev20261101+cpu" false false ]
    ];
  };
}
