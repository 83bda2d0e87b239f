{ versions, ... }:
{
  pattern.isOfTheWholeText = [
    (map (text: builtins.match versions.pattern text != null) [ "2.12" "2.12." ])
    [ true false ]
  ];
  isVersion = {
    # The existing tool takes these, too.
    spellings = [
      (builtins.filter (text: !versions.isVersion text) [ "13" "2.13" "2025.3.1" "2025.3.1.4" " 13.0" "13.0 \n" "2.09" "0.0" ])
      [ ]
    ];
    others = [
      (builtins.filter versions.isVersion [
        "" " " "." "13." ".13" "13 .0" "1.2.3.4.5" "-1" "+13" "v13" "13.x" "1234567890"
      ])
      [ ]
    ];
  };
  readVersion.keepsItsPrecision = [
    (map versions.readVersion [ "13" " 13.0\n" "2.09" "02.9.00" "0" "2025.3.1.4" ])
    [ "13" "13.0" "2.9" "2.9.0" "0" "2025.3.1.4" ]
  ];
  readRelease.hasTwoNumbers = [ (map versions.readRelease [ " 013" "2.09" "2025.3.1" ]) [ "13.0" "2.9" "2025.3.1" ] ];
  majorMinor = {
    cuts = [ (versions.majorMinor "2.13.0") "2.13" ];
    pads = [ (versions.majorMinor "2") "2.0" ];
  };
  flat.noDots = [ (versions.flat "2025.3.1") "20253" ];
  atLeast = {
    same = [ (versions.atLeast "2.12" "2.12.0") true ];
    older = [ (versions.atLeast "2.12" "2.9.1") false ];
    major = [ (map (versions.atLeast "13") [ "13.0" "12.9" ]) [ true false ] ];
    patch = [ (versions.atLeast "2.12.1" "2.12.0") false ];
    unbounded = [ (versions.atLeast null "2.9") true ];
  };
  atMost = {
    admitsMinors = [ (map (versions.atMost "13") [ "13.0" "13.5" "14.0" ]) [ true true false ] ];
    admitsPatches = [ (versions.atMost "2.12" "2.12.1") true ];
    newer = [ (versions.atMost "2.12" "2.13.0") false ];
    patch = [ (versions.atMost "2.12.0" "2.12.1") false ];
    unbounded = [ (versions.atMost null "2.15") true ];
  };
  ascending.byNumber = [ (versions.ascending [ "2.10" "2.9" "2.11" ]) [ "2.9" "2.10" "2.11" ] ];
}
