{ config, ... }:
let
  inherit (config) publishing;
  ask =
    root: license:
    map (warning: [ warning.at warning.found ]) (
      publishing.listPublishingWarnings { inherit root; config.general = { inherit license; }; }
    );
in
{
  listPublishingWarnings = {
    nothing = [ (ask ../../../examples/relu "mit") [ ] ];
    license = [ (ask ../../../examples/relu null) [ [ "general.license" "no license" ] ] ];
    noTests = [ (ask ../kernels/relu "mit") [ [ "tests/" "no test with the marker kernels_ci" ] ] ];
    markedByAHook = [ (ask ../kernels/marked "mit") [ ] ];
    noMarker = [ (ask ../kernels/with-data "mit") [ [ "tests/" "no test with the marker kernels_ci" ] ] ];
  };
}
