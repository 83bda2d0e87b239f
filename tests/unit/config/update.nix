{ config, ... }:
let
  inherit (config) update;
  plan = update.planUpdate;
  ats = map (problem: problem.at);
in
{
  planUpdate = {
    newest = {
      expr = plan ''
        [general]
        name = "relu"
        edition = 5
        backends = ["cpu"]
        [torch]
        src = ["a.cpp"]
      '';
      expected = {
        toml = {
          general = {
            name = "relu";
            edition = 5;
            backends = [ "cpu" ];
          };
          torch.src = [ "a.cpp" ];
        };
        edits = [ ];
        notes = [ ];
        problems = [ ];
      };
    };
    whatRemains = {
      expr = ats (plan ''
        [general]
        name = "relu"
        [torch]
        src = ["a.cpp"]
        [kernel.a]
        language = "opencl"
        depends = ["a-name-that-a-flake-brings"]
        src = ["a.cl"]
      '').problems;
      expected = [
        "general.backends"
        "kernel.a.language"
        "kernel.a.backend"
      ];
    };
    notes = {
      expr = ats (plan ''
        [general]
        name = "relu"
        universal = true
      '').notes;
      expected = [ "general.universal" ];
    };
  };
}
