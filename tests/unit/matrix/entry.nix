{ entry, ... }:
let
  cpu = {
    torch = "2.13.0";
    backend = "cpu";
    systems = [ "x86_64-linux" ];
  };
  ats = row: map (problem: problem.at) (entry.problems { at = "x"; } row);
in
{
  problems = {
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
        hosts.torhc = "a";
        abi = 1;
      };
      expected = [
        "x.abi"
        "x.torch"
        "x.toolkit"
        "x.systems[0]"
        "x.bundle"
        "x.hosts.torhc"
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
    namesOfOtherTools = {
      expr = map (problem: problem.fix) (
        entry.problems { at = "x"; } (cpu // { torchVersion = "2.13"; })
      );
      expected = [ "the key is called torch here" ];
    };
    functions = {
      expr = ats (cpu // { toolkit = a: a; });
      expected = [ "x.toolkit" ];
    };
    notASet = {
      expr = ats "2.13";
      expected = [ "x" ];
    };
    missing = {
      expr = ats { };
      expected = [
        "x.torch"
        "x.backend"
      ];
    };
    hostsNoSet = {
      expr = ats (cpu // { hosts = "registry"; });
      expected = [ "x.hosts" ];
    };
  };
  complete = {
    cpu = {
      expr = entry.complete cpu;
      expected = cpu // {
        toolkit = null;
        bundle = true;
        hosts = {
          torch = "download.pytorch.org";
          toolkit = "registry";
        };
      };
    };
    keepsWhatIsThere = {
      expr =
        (entry.complete (
          cpu
          // {
            bundle = false;
            hosts.torch = "example.org";
          }
        )).hosts;
      expected = {
        torch = "example.org";
        toolkit = "registry";
      };
    };
  };
}
