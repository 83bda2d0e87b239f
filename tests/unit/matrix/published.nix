{ matrix, ... }:
let
  inherit (builtins)
    compareVersions
    filter
    head
    length
    removeAttrs
    ;
  inherit (matrix) published torchBuilds;
  defaults = torchBuilds.default;
  find = backend: torch: head (filter (row: row.backend == backend && row.torch == torch) defaults);
  cpu = find "cpu" "2.13.0";
  cuda = find "cuda" "2.13.0";
  read = published.readPublishedRow { inherit defaults; };
  fromUser = torchVersions: torchBuilds.readRows { inherit torchVersions; };
  isArmCpu = row: row.backend == "cpu" && row.systems == [ "aarch64-linux" ];
in
{
  writePublishedRow = {
    cpu = {
      expr = removeAttrs (published.writePublishedRow cpu) [ "given" ];
      expected = cpu // {
        torchVersion = "2.13";
        cpu = true;
        bundleBuild = true;
      };
    };
    cuda = {
      expr = (published.writePublishedRow cuda).cudaVersion;
      expected = "12.6";
    };
  };
  readPublishedRow = {
    asItWasGiven = {
      expr = read (published.writePublishedRow cuda);
      expected = cuda;
    };
    changedInOurSpelling = {
      expr = read (published.writePublishedRow cuda // { torch = "2.13.1"; });
      expected = cuda // {
        torch = "2.13.1";
      };
    };
    changedInTheirs = {
      expr = read (
        published.writePublishedRow cuda
        // {
          torchVersion = "2.11";
          bundleBuild = false;
          ptxasVersion = "12.8";
        }
      );
      expected = cuda // {
        torch = "2.11.0";
        bundle = false;
        ptxas = "12.8";
      };
    };
    # Rows of older flakes state the ABI; Torch has no other one left.
    abi = {
      expr = map (cxx11Abi: read { torch = "2.9.0"; inherit cxx11Abi; }) [ true false ];
      expected = [
        { torch = "2.9.0"; }
        {
          torch = "2.9.0";
          cxx11Abi = false;
        }
      ];
    };
    written = {
      expr = read {
        torchVersion = "2.12";
        cudaVersion = "12.6";
        systems = [ "x86_64-linux" ];
        bundleBuild = true;
        tvmFfiVersion = "0.1";
      };
      expected = {
        torch = "2.12.0";
        backend = "cuda";
        toolkit = "12.6";
        systems = [ "x86_64-linux" ];
        bundle = true;
      };
    };
    # A new row without `bundleBuild` is not in bundles.
    writtenWithoutBundle = {
      expr = read {
        torchVersion = "2.13";
        xpuVersion = "2025.3.2";
        systems = [ "x86_64-linux" ];
      };
      expected = {
        torch = "2.13.0";
        backend = "xpu";
        toolkit = "2025.3";
        systems = [ "x86_64-linux" ];
        bundle = false;
      };
    };
    otherSpellings = {
      expr =
        map
          (
            row:
            removeAttrs (head (fromUser [ (row // { systems = [ "x86_64-linux" ]; }) ])) [
              "bundle"
              "systems"
            ]
          )
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
            {
              torch = "2.13.00";
              backend = "cuda";
              toolkit = "13";
            }
          ];
      expected = [
        {
          torch = "2.13.0";
          backend = "cuda";
          toolkit = "13.0";
          ptxas = "13.2";
        }
        {
          torch = "2.0.0";
          backend = "cuda";
          toolkit = "13.0";
        }
        {
          torch = "2.13.0";
          backend = "cuda";
          toolkit = "13.0";
        }
      ];
    };
    falseIsNoBackend = {
      expr =
        (read {
          torchVersion = "2.13";
          cpu = false;
          cudaVersion = "13.0";
        }).backend;
      expected = "cuda";
    };
    unknownTorch = {
      expr =
        (read {
          torchVersion = "3.1";
          cpu = true;
        }).torch;
      expected = "3.1.0";
    };
    ours = {
      expr = read cpu;
      expected = cpu;
    };
    noRow = {
      expr = read "2.13";
      expected = "2.13";
    };
    mistakesAreLeft = {
      expr = (read { torchVersion = 2.13; }).torch;
      expected = 2.13;
    };
  };
  checkPublishedKeys = {
    places = {
      expr = map (row: map (problem: problem.at) (published.checkPublishedKeys { at = "x"; } row)) [
        {
          torchVersion = "2.13";
          cpu = true;
        }
        {
          cpu = true;
          cudaVersion = "13.0";
        }
        # False is no backend.
        {
          cpu = false;
          metal = null;
          cudaVersion = "13.0";
        }
        { cpu = "yes"; }
        {
          backend = "cuda";
          toolkit = "12.6";
          cudaVersion = "13.0";
        }
        "2.13"
        cpu
      ];
      expected = [
        [ ]
        [ "x.cpu, x.cudaVersion" ]
        [ ]
        [ "x.cpu" ]
        [
          "x.cudaVersion, x.toolkit"
        ]
        [ ]
        [ ]
      ];
    };
    changesOfGivenRows = {
      expr = map (more: published.checkPublishedKeys { at = "x"; } (published.writePublishedRow cuda // more)) [
        { cudaVersion = "12.8"; }
        { bundleBuild = false; }
      ];
      expected = [
        [ ]
        [ ]
      ];
    };
  };
  rewriteProblems.keysThatTheFlakeWrote = {
    expr =
      map
        (
          row:
          map (problem: problem.at) (
            torchBuilds.checkRows [ (row // { systems = [ "x86_64-linux" ]; }) ]
          )
        )
        [
          {
            torchVersion = "2.x";
            cudaVersion = "11.0";
            ptxasVersion = "1.0";
            bundleBuild = "yes";
          }
          {
            torch = "2.x";
            backend = "cuda";
            toolkit = "11.0";
          }
        ];
    expected = [
      [
        "torchVersions[0].bundleBuild"
        "torchVersions[0].ptxasVersion"
        "torchVersions[0].cudaVersion"
        "torchVersions[0].torchVersion"
      ]
      [
        "torchVersions[0].toolkit"
        "torchVersions[0].torch"
      ]
    ];
  };
  # Functions as in published flakes.
  functions = {
    systemsOfCpu = {
      expr = filter isArmCpu (
        fromUser (
          map (
            version:
            version
            // {
              systems = filter (system: !(version ? cpu) || system == "x86_64-linux") version.systems;
            }
          )
        )
      );
      expected = [ ];
    };
    boundOfOneBackend = {
      expr =
        let
          rows = fromUser (
            filter (version: !(version ? xpuVersion) || compareVersions version.torchVersion "2.12" >= 0)
          );
        in
        map (row: row.torch) (filter (row: row.backend == "xpu") rows);
      expected = [
        "2.12.0"
        "2.13.0"
      ];
    };
    ptxasOfOneToolkit = {
      expr = length (
        filter (row: row.ptxas or null == "12.8") (
          fromUser (
            map (
              version:
              if (version.cudaVersion or null) == "12.6" then version // { ptxasVersion = "12.8"; } else version
            )
          )
        )
      );
      expected = length (filter (row: row.toolkit == "12.6") defaults);
    };
  };
}
