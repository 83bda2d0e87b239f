{ config, ... }:
let
  inherit (config) update;
  plan = update.planUpdate;
  ats = map (problem: problem.at);
in
{
  planUpdate = {
    newest = [
      (plan ''
        [general]
        name = "relu"
        edition = 5
        backends = ["cpu"]
        [torch]
        src = ["a.cpp"]
      '')
      {
        toml = { general = { name = "relu"; edition = 5; backends = [ "cpu" ]; }; torch.src = [ "a.cpp" ]; };
        edits = [ ];
        notes = [ ];
        problems = [ ];
      }
    ];
    whatRemains = [
      (ats (plan ''
        [general]
        name = "relu"
        [torch]
        src = ["a.cpp"]
        [kernel.a]
        language = "opencl"
        depends = ["a-name-that-a-flake-brings"]
        src = ["a.cl"]
      '').problems)
      [ "general.backends" "kernel.a.language" "kernel.a.backend" ]
    ];
    notes = [
      (ats (plan ''
        [general]
        name = "relu"
        universal = true
      '').notes)
      [ "general.universal" ]
    ];
  };
}
