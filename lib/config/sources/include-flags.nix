# Warns of flags that name folders or headers of the kernel. A compilation has only the headers that
# the include scan finds (plan/include-graph.nix), and the scan reads `include`, not flags.
{ values, messages, ... }:
let
  inherit (builtins)
    concatMap
    elem
    elemAt
    foldl'
    match
    toJSON
    ;
  inherit (values) lists paths;
  inherit (messages.check) appendKey;

  folder = "(-I|-iquote|-isystem|-idirafter|--?include-path|--?include-directory)";
  header = "(-include|-imacros|--include|--imacros|--pre-include)";

  # The value of a flag of one of these kinds; null if the next word is the value.
  readFlag =
    flag:
    let
      joined = kind: match "${kind}=?([^=].*)" flag;
      alone = kind: match kind flag != null;
    in
    if alone folder || alone header then
      {
        isFolder = alone folder;
        value = null;
      }
    else if joined folder != null then
      {
        isFolder = true;
        value = elemAt (joined folder) 1;
      }
    else
      null;

  # The folders and headers that flags name, each with the flag's own text.
  listNamed =
    flags:
    (foldl'
      (
        done: flag:
        let
          this = readFlag flag;
        in
        if done.waiting != null then
          {
            waiting = null;
            found = done.found ++ [
              (
                done.waiting
                // {
                  value = flag;
                  flag = "${done.waiting.flag} ${flag}";
                }
              )
            ];
          }
        else if this == null then
          done
        else if this.value == null then
          done // { waiting = this // { inherit flag; }; }
        else
          done // { found = done.found ++ [ (this // { inherit flag; }) ]; }
      )
      {
        waiting = null;
        found = [ ];
      }
      flags
    ).found;

  # The compiler reports absolute paths; `@package@` stands for a package's folder.
  isOfKernel = value: match "[/@$].*" value == null;
in
{
  /**
    Warnings about flags of a section (`at`) that name folders of the kernel that its `include` lacks,
    or headers to include first.

    # Type

    ```
    listIncludeFlagWarnings :: { at :: String; key :: String; flags :: [String]; include :: [String]; } -> [Problem]
    ```
  */
  listIncludeFlagWarnings =
    {
      at,
      key,
      flags,
      include,
    }:
    let
      folders = map (paths.join "") include;
      warningOf =
        {
          flag,
          value,
          isFolder,
        }:
        if !isOfKernel value || (isFolder && elem (paths.join "" value) folders) then
          [ ]
        else if isFolder then
          [
            {
              at = appendKey at key;
              found = "${toJSON flag}, which finds no header: a compile has only those that `include` leads to";
              want = "the folder in ${appendKey at "include"}";
              fix = "write include = [${toJSON value}], and delete the flag";
            }
          ]
        else
          [
            {
              at = appendKey at key;
              found = "${toJSON flag}, which finds no header of the kernel: a compile has only those that sources include";
              want = "an #include of ${toJSON value} in the sources";
              fix = "write it there, and delete the flag";
            }
          ];
    in
    lists.unique (concatMap warningOf (listNamed flags));
}
