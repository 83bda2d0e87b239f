{ matrix, ... }:
let
  inherit (matrix) row;
  cpu = {
    torch = "2.13.0";
    backend = "cpu";
    systems = [ "x86_64-linux" ];
  };
  ats = value: map (problem: problem.at) (row.checkRow { at = "x"; } value);
in
{
  checkRow = {
    smallest = {
      expr = ats cpu;
      expected = [ ];
    };
    everything = {
      expr = ats {
        torch = 2.13;
        backend = "cuda";
        toolkit = "11.8";
        systems = [ "riscv64-linux" ];
        bundle = "yes";
        abi = 1;
      };
      expected = [
        "x.abi"
        "x.bundle"
        "x.systems[0]"
        "x.toolkit"
        "x.torch"
      ];
    };
    unknownBackend = {
      expr = ats (cpu // { backend = "vulkan"; });
      expected = [ "x.backend" ];
    };
    toolkitWhereThereIsNone = {
      expr = ats (cpu // { toolkit = "13.0"; });
      expected = [ "x.toolkit" ];
    };
    noToolkit = {
      expr = ats (cpu // { backend = "xpu"; });
      expected = [ "x.toolkit" ];
    };
    unknownRelease = {
      expr = map (toolkit: ats (cpu // { backend = "xpu"; inherit toolkit; })) [
        "2025.3"
        "2024.0"
      ];
      expected = [
        [ ]
        [ "x.toolkit" ]
      ];
    };
    functions = {
      expr = ats (cpu // { toolkit = a: a; });
      expected = [ "x.toolkit" ];
    };
    notASet = {
      expr = ats "2.13";
      expected = [ "x" ];
    };
    wheel = {
      expr = map (wheel: ats (cpu // { inherit wheel; })) [
        null
        { url = "http://wheels.example/torch.whl"; }
      ];
      expected = [
        [ ]
        [
          "x.wheel.file"
          "x.wheel.hash"
          "x.wheel.url"
        ]
      ];
    };
    missing = {
      expr = ats { };
      expected = [
        "x.backend"
        "x.systems"
        "x.torch"
      ];
    };
    hosts = {
      expr = ats (cpu // { hosts.torch = "registry"; });
      expected = [ "x.hosts" ];
    };
  };
  completeRow = {
    cpu = {
      expr = row.completeRow cpu;
      expected = cpu // {
        toolkit = null;
        bundle = true;
      };
    };
    wheel = {
      expr = map (more: (row.completeRow (cpu // more)).bundle) [
        { wheel = null; }
        { wheel = { }; }
        {
          wheel = { };
          bundle = true;
        }
      ];
      expected = [
        true
        false
        true
      ];
    };
    keepsWhatIsThere = {
      expr = (row.completeRow (cpu // { bundle = false; })).bundle;
      expected = false;
    };
  };
}
