{ messages, ... }:
let
  inherit (messages) records;
  complete = records.completeRecord {
    at = "cpu";
    required = [ "systems" ];
    defaults.runtime = null;
  };
  isRefused = given: !(builtins.tryEval (complete given)).success;
in
{
  completeRecord = {
    defaultsAreFilledIn = {
      expr = complete { systems = [ ]; };
      expected = {
        systems = [ ];
        runtime = null;
      };
    };
    givenValuesStay = {
      expr = (complete {
        systems = [ ];
        runtime = 1;
      }).runtime;
      expected = 1;
    };
    unknownFields = {
      expr = isRefused {
        systems = [ ];
        runtimes = 1;
      };
      expected = true;
    };
    missingFields = {
      expr = isRefused { };
      expected = true;
    };
  };
}
