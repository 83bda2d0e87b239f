# Warnings of facts that builds do without, and publishers should not.
{ values, ... }:
let
  inherit (builtins) any filter readFile;
  inherit (values) paths;
  inherit (values.lists) optionals;
in
{
  /**
    Warnings for a kernel without a license, and for one without a test that `ci-test` selects. A hook of pytest may add
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
    ++ optionals (!any isMarked (filter isPython tests)) [
      {
        at = "tests/";
        found = "no test with the marker kernels_ci";
        want = "tests that `nix run .#ci-test` runs: now it tests nothing";
        fix = "write @pytest.mark.kernels_ci above fast tests that use the kernel";
      }
    ];
}
