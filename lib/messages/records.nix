# Attribute sets with a fixed list of fields.
{ messages, ... }:
let
  inherit (builtins) attrNames;
  inherit (messages) check;
in
{
  /**
    A record with the values of `given`, and with the defaults of the fields that `given` leaves out.

    # Example

    ```nix
    completeRecord { at = "cpu"; required = [ "systems" ]; defaults = { runtime = null; }; } { systems = [ ]; }
    => { systems = [ ]; runtime = null; }
    ```

    Type: completeRecord :: { at :: String; required :: [String]; defaults :: AttrSet; } -> AttrSet -> AttrSet

    # Errors

    A field is unknown, or a required one is missing.
  */
  completeRecord =
    { at, required, defaults }:
    given:
    let
      known = required ++ attrNames defaults;
    in
    check.throwProblems "${at} is not complete" (
      check.checkKeys { inherit at known; } given
      ++ map (field: {
        at = check.appendKey at field;
        found = "nothing";
        want = "a value, because this field has no default";
        fix = "add it; docs/data.md describes it";
      }) (check.listMissingKeys { inherit known required; } given)
    ) (defaults // given);
}
