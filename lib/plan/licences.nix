# The texts of licences that are published with a variant: licences of source code ask for them beside binaries. A text
# is no input of a compile.
{ values, backends, frameworks, ... }:
let
  inherit (builtins) attrNames concatMap elem filter isAttrs match;
  inherit (values) paths;
  inherit (values.lists) optionals unique;

  # `pattern` is of names such as LICENSE, NOTICE.txt, COPYING.LESSER and MIT-LICENSE. A program or a table with such
  # a name is no text.
  table = builtins.fromJSON (builtins.readFile ./licences.json);
  isText = name: match table.pattern name != null && !elem (paths.ending name) table.otherEndings;

  listParents = folder: [ folder ] ++ optionals (folder != "") (listParents (paths.parent folder));
in
{
  /**
    The files of a kernel with texts of licences: those in folders of `files`, and in folders above, up to the root. A
    folder LICENSES has texts, too. Apply the function to the root once and reuse the result.

    Type: listLicences :: Path -> [String] -> [String]
  */
  listLicences =
    root:
    let
      isFile = paths.isFile root;
      entriesOf = paths.entryIn (paths.readTree root);
      below =
        folder:
        let
          entries = entriesOf folder;
          textsIn =
            name:
            let
              file = paths.join folder name;
              entry = entries.${name};
            in
            if isAttrs entry then map (inner: "${file}/${inner}") (attrNames entry) else [ file ];
        in
        optionals (isAttrs entries) (filter isFile (concatMap textsIn (filter isText (attrNames entries))));
    in
    files: concatMap below (unique ([ "" ] ++ concatMap listParents (unique (map paths.parent files))));

  /**
    The packages that `depends` brings to units of a plan, whose code may be in the extension. Users have Torch and TVM FFI
    with their licences, and those of a toolkit allow to publish what its headers put into a program.

    Type: listBrought :: Plan -> [String]
  */
  listBrought =
    plan:
    filter (
      package: package != "python" && !backends.all.${plan.backend}.packages ? ${package} && !frameworks.all ? ${package}
    ) (unique (concatMap (unit: unit.packages) plan.units));
}
