# Warnings of facts that builds do without, and publishers should not.
{ values, messages, ... }:
let
  inherit (builtins) any concatStringsSep elem filter fromJSON head isString match readFile split toJSON;
  inherit (messages.spelling) findClosestWord lower;
  inherit (values) paths;
  inherit (values.lists) optionals;
  # Names of licenses on the Hub, and other names of the same licenses.
  licences = fromJSON (readFile ./licences.json);

  # The Hub's name for a license in the spelling of SPDX or of people: "BSD 3-Clause License", "GPL-3.0-only".
  findHubName =
    name:
    let
      words = filter (part: isString part && part != "" && part != "the" && part != "license" && part != "licence") (
        split "[^a-z0-9.+]+" (lower name)
      );
      plain = concatStringsSep "-" words;
      parts = match "(.*[^-+])([+]|-only|-or-later)" plain;
      short = if parts == null then plain else head parts;
    in
    if elem short licences.theHubs then
      short
    else
      licences.others.${short} or (findClosestWord { candidates = licences.theHubs; } short);

  licenceProblem =
    license:
    let
      right = findHubName license;
    in
    {
      at = "general.license";
      found = "${toJSON license}, which is no name of the Hub's";
      want = "the license by the Hub's name for it, such as apache-2.0 or mit (${licences.source})";
      fix =
        if right == null then "write \"other\", and say in CARD.md which license it is" else "write ${toJSON right}";
    };
in
{
  /**
    Warnings for a kernel without a license or with a name that the Hub lacks, and for one without a test that `ci-test` selects. A hook of pytest may add
    the marker.

    Type: listPublishingWarnings :: { root :: Path; config :: Config; } -> [Problem]
  */
  listPublishingWarnings =
    { root, config }:
    let
      typeOf = paths.typeOf root;
      tests = optionals (typeOf "tests" == "directory") (paths.filesBelow root "tests");
      isPython = file: paths.ending file == "py" && typeOf file == "regular";
      isMarked = file: values.texts.mentions [ "mark.kernels_ci" "add_marker" ] (readFile (root + "/${file}"));
    in
    optionals (config.general.license == null) [
      {
        at = "general.license";
        found = "no license";
        want = "the license by the Hub's name for it, such as apache-2.0 or mit";
        fix = "add license = \"…\" to [general]";
      }
    ]
    ++ optionals (config.general.license != null && !elem config.general.license licences.theHubs) [
      (licenceProblem config.general.license)
    ]
    ++ optionals (!any isMarked (filter isPython tests)) [
      {
        at = "tests/";
        found = "no test with the marker kernels_ci";
        want = "tests that `nix run .#ci-test` runs: now it tests nothing";
        fix = "write @pytest.mark.kernels_ci above fast tests that use the kernel";
      }
    ];
}
