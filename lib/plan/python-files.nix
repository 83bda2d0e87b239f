# The Python files of a kernel as one store path.
{ values, plan, ... }:
let
  inherit (values) paths;
  inherit (plan.generated) isGenerated;
in
{
  /**
    The files in torch-ext/<name>, or the folder of another framework, whose endings `pyext` lists.

    Type: selectPythonFiles :: { root :: Path; config :: Config; } -> StorePath
  */
  selectPythonFiles =
    { root, config }:
    builtins.path {
      name = "${config.general.name}-modules";
      path = root + "/${config.pythonFolder}";
      filter =
        path: type:
        if type == "directory" then
          baseNameOf path != "__pycache__"
        else
          builtins.elem (paths.ending path) config.pyext
          && !(baseNameOf path == "_ops.py" && isGenerated path);
    };
}
