# The pins of one release of a toolkit, out of a folder that has a file for each.
{ lib }:
/**
  `name` is the toolkit's in messages, `place` where its pins are in the project.

  # Type

  ```
  releasePins :: { name :: String; folder :: Path; place :: String; } -> String -> AttrSet
  ```

  # Errors

  There is no file for that release.
*/
{
  name,
  folder,
  place,
}:
release:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    fromJSON
    match
    readDir
    readFile
    ;
  releaseOf = file: match "(.*)[.]json" file;
  releases = concatMap (
    file: if releaseOf file == null then [ ] else releaseOf file
  ) (attrNames (readDir folder));
in
if elem release releases then
  fromJSON (readFile (folder + "/${release}.json"))
else
  lib.messages.check.throwProblem "${name} ${release} is not in the package set" {
    at = place;
    found = "nothing for ${release}";
    want = lib.messages.check.listChoices releases;
    fix = "choose one of these in torchVersions, or add its pins";
  }
