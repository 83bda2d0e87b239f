# Files beside a kernel's Python files that a build leaves out, because `pyext` lacks their ending.
{ values, ... }:
let
  inherit (builtins) concatStringsSep elem filter genList elemAt length match toJSON;
  inherit (values) paths;
  inherit (values.lists) optionals unique;

  # Nothing reads documentation, pictures and a developer's scripts when the kernel runs, and nobody wrote bytecode
  # and libraries. A name without an ending is a LICENSE.
  unread = [ "" "ipynb" "jpg" "md" "pdf" "png" "pyc" "rst" "sh" "so" "svg" ];

  # The number of files that are listed.
  shown = 5;
in
{
  /**
    Warnings about files in torch-ext/<name>, or the folder of another framework, that the built kernel lacks although
    its code may read them.

    Type: listLeftOutFiles :: { root :: Path; config :: Config; } -> [Problem]
  */
  listLeftOutFiles =
    { root, config }:
    let
      inherit (config.section) pyext;
      folder = "${config.framework.folder}/${toString config.general.python-name}";
      isLeftOut =
        file:
        !elem (paths.ending file) (pyext ++ unread) && match "(.*/)?__pycache__/.*" file == null;
      files = filter isLeftOut (paths.filesBelow root folder);
      rest = length files - shown;
      names =
        genList (elemAt files) (if rest > 0 then shown else length files)
        ++ optionals (rest > 0) [ "${toString rest} more" ];
    in
    # Another check reports a folder that is missing.
    optionals
      (
        config.framework != null
        && config.general.python-name != null
        && paths.isFile root "${folder}/__init__.py"
        && files != [ ]
      )
      [
        {
          at = "${config.framework.name}.pyext";
          found = "no ending of ${concatStringsSep ", " names}: a build leaves ${
            if length files == 1 then "this file" else "these files"
          } out";
          want = "the endings of all files that the kernel reads when it runs";
          fix = "write pyext = [${
            concatStringsSep ", " (map toJSON (unique (pyext ++ map paths.ending files)))
          }], or move what nothing reads out of ${folder}";
        }
      ];
}
