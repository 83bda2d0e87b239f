{ records, ... }:
let
  complete = records.completeRecord { at = "cpu"; required = [ "systems" ]; defaults.runtime = null; };
  isRefused = given: !(builtins.tryEval (complete given)).success;
in
{
  completeRecord = {
    defaultsAreFilledIn = [ (complete { systems = [ ]; }) { systems = [ ]; runtime = null; } ];
    givenValuesStay = [ (complete { systems = [ ]; runtime = 1; }).runtime 1 ];
    unknownFields = [ (isRefused { systems = [ ]; runtimes = 1; }) true ];
    missingFields = [ (isRefused { }) true ];
  };
}
