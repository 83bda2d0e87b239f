# Files that a build leaves out although the kernel may need them: beside its folder of Python files, or in this folder
# with an ending that `pyext` lacks.
{ values, messages, config, ... }:
let
  inherit (builtins) any attrNames elem elemAt filter genList length match readDir;
  inherit (values) paths;
  inherit (values.lists) optional optionals unique;
  inherit (messages.catalogue) readCatalogue;
  inherit (config.endings) unread;

  problems = readCatalogue ./left-out-files.json;

  # The number of files that are listed.
  shown = 5;

  # Modules and packages of Python beside the folder that variants have.
  listSiblings =
    { root, parent, folder }:
    let
      entries = readDir (root + "/${parent}");
      isFolder = name: entries.${name} == "directory";
      isPython = file: elem (paths.ending file) [ "py" "pyi" ];
      filesOf = name: if isFolder name then paths.filesBelow root "${parent}/${name}" else [ name ];
      isLeftOut = name: match "[.].*" name == null && "${parent}/${name}" != folder && any isPython (filesOf name);
    in
    map (
      name:
      problems.beside {
        at = "${parent}/${name}";
        kind = if isFolder name then "a folder with Python files" else "a Python file";
        inherit folder parent;
      }
    ) (filter isLeftOut (attrNames entries));
in
{
  /**
    Warnings about files in torch-ext, or the folder of another framework, that the built kernel lacks although its code
    may read them.

    Type: listLeftOutFiles :: { root :: Path; config :: Config; } -> [Problem]
  */
  listLeftOutFiles =
    { root, config }:
    let
      inherit (config.section) pyext;
      folder = "${config.framework.folder}/${config.general.python-name}";
      isLeftOut =
        file:
        !elem (paths.ending file) (pyext ++ unread) && match "(.*/)?__pycache__/.*" file == null;
      files = filter isLeftOut (paths.filesBelow root folder);
      rest = length files - shown;
      names =
        genList (elemAt files) (if rest > 0 then shown else length files)
        ++ optional (rest > 0) "${toString rest} more";
    in
    # Another check reports a folder that is missing.
    optionals (paths.isFile root "${folder}/__init__.py") (
      listSiblings { inherit root folder; parent = config.framework.folder; }
      ++ optional (files != [ ]) (
        problems.other-endings {
          at = "${config.framework.name}.pyext";
          inherit names folder;
          these = if length files == 1 then "this file" else "these files";
          endings = unique (pyext ++ map paths.ending files);
        }
      )
    );
}
