# Warnings of facts that builds do without, and publishers should not.
{ values, messages, config, ... }:
let
  inherit (builtins) any attrNames concatMap concatStringsSep elem filter fromJSON head isString length readDir;
  inherit (builtins) readFile split;
  inherit (config) endings;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.spelling) findClosestWord lower;
  inherit (values) paths;
  inherit (values.lists) optional optionals unique;
  inherit (values.texts) capture;

  problems = readCatalogue ./publishing.json;
  # Names of licenses on the Hub, and other names of the same licenses.
  licences = fromJSON (readFile ./licences.json);

  # The Hub's name for a license in the spelling of SPDX or of people: "BSD 3-Clause License", "GPL-3.0-only".
  findHubName =
    name:
    let
      words = filter (part: isString part && !elem part [ "" "the" "license" "licence" ]) (
        split "[^a-z0-9.+]+" (lower name)
      );
      plain = concatStringsSep "-" words;
      short = capture plain "(.*[^-+])([+]|-only|-or-later)" plain;
    in
    if elem short licences.theHubs then
      short
    else
      licences.others.${short} or (findClosestWord { candidates = licences.theHubs; } short);

  licenceProblems =
    license:
    let
      right = findHubName license;
      values = { inherit license right; inherit (licences) source; };
    in
    if license == null then
      [ (problems.no-license { }) ]
    else
      optional (!elem (lower license) licences.theHubs) (
        (if right == null then problems.other-license else problems.misspelt-license) values
      );
in
{
  /**
    Warnings for sources beside those of the kernel that no `src` lists and no source includes. Some are meant to wait.
    `graph` is the kernel's include graph.

    Type: listUnlistedSources :: { root :: Path; config :: Config; graph :: Graph; } -> [Problem]
  */
  listUnlistedSources =
    { root, config, graph }:
    let
      isUnit = endings.isUnit config.general.backends;
      folders = filter (folder: folder != "") (unique (map paths.parent (concatMap (section: section.src) config.sections)));
      filesIn = folder: map (name: "${folder}/${name}") (attrNames (readDir (root + "/${folder}")));
      strays = folder: filter (file: isUnit file && !graph ? ${file}) (filesIn folder);
      warn =
        files:
        optional (files != [ ]) (
          problems.unlisted {
            at = head files;
            more = if length files == 1 then "" else ", as ${toString (length files - 1)} more in its folder";
          }
        );
    in
    concatMap (folder: warn (strays folder)) folders;

  /**
    Warnings for a kernel without a license or with a name that the Hub lacks, and for one without a test that `ci-test`
    selects. A hook of pytest may add the marker. The card has names of licenses in small letters.

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
    licenceProblems config.general.license
    ++ optional (!any isMarked (filter isPython tests)) (problems.untested { });
}
