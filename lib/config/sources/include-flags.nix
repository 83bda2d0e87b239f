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

  # A flag that names a folder or a header; null for all other flags. `value` is null if the next word is the value.
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
        state: flag:
        let
          parsed = readFlag flag;
        in
        if state.pending != null then
          {
            pending = null;
            found = state.found ++ [
              (
                state.pending
                // {
                  value = flag;
                  flag = "${state.pending.flag} ${flag}";
                }
              )
            ];
          }
        else if parsed == null then
          state
        else if parsed.value == null then
          state // { pending = parsed // { inherit flag; }; }
        else
          state // { found = state.found ++ [ (parsed // { inherit flag; }) ]; }
      )
      {
        pending = null;
        found = [ ];
      }
      flags
    ).found;

  # The compiler reports absolute paths; `@package@` stands for a package's folder.
  isOfKernel = value: match "[/@$].*" value == null;
in
{
  /**
    Warnings about flags of the section `at` that name a folder of the kernel that `include` lacks, or a
    header to include first.

    Type: listIncludeFlagWarnings :: { at :: String; key :: String; flags :: [String]; include :: [String]; }
      -> [Problem]
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
