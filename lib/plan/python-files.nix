# The Python files of a kernel, as one folder in the store.
{ values, ... }:
let
  inherit (values) paths;
  # How a file begins that `kernel-builder create-pyproject` made: builds make their own.
  mark = "# Made by kernel-builder create-pyproject";
  isMade =
    path: builtins.substring 0 (builtins.stringLength mark) (builtins.readFile path) == mark;
in
{
  /**
    Everything under torch-ext/<name> (or the folder that another framework has) whose ending
    `pyext` lists, without the rest of the kernel around it.

    # Type

    ```
    selectPythonFiles :: { root :: Path; config :: Config; } -> StorePath
    ```
  */
  selectPythonFiles =
    { root, config }:
    builtins.path {
      name = "${config.general.name}-modules";
      path = root + "/${config.framework.folder}/${config.general.python-name}";
      filter =
        path: type:
        if type == "directory" then
          baseNameOf path != "__pycache__"
        else
          builtins.elem (paths.ending path) config.section.pyext
          && !(baseNameOf path == "_ops.py" && isMade path);
    };
}
