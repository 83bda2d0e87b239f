# Warns of flags that name folders or headers of the kernel. A compilation has only the headers that
# the include scan finds (plan/include-graph.nix), and the scan reads `include`, not flags.
{ values, messages, ... }:
let
  inherit (builtins)
    concatLists
    elem
    elemAt
    genList
    length
    match
    toJSON
    ;
  inherit (values) lists paths;
  inherit (messages.check) appendKey;

  folder = "(-I|-iquote|-isystem|-idirafter|--?include-path|--?include-directory)";
  header = "(-include|-imacros|--include|--imacros|--pre-include)";

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
      warningAt =
        index:
        let
          flag = elemAt flags index;
          # A folder or header may be the word after its flag.
          isAlone = match "${folder}|${header}" flag != null && index + 1 < length flags;
          text = if isAlone then "${flag} ${elemAt flags (index + 1)}" else flag;
          asFolder = match "${folder}[ =]?([^ =].*)" text;
          asHeader = match "${header} (.*)" text;
          value = elemAt (if asFolder != null then asFolder else asHeader) 1;
        in
        if asFolder != null && isOfKernel value && !elem (paths.join "" value) folders then
          [
            {
              at = appendKey at key;
              found = "${toJSON text}, which finds no header: a compile has only those that `include` leads to";
              want = "the folder in ${appendKey at "include"}";
              fix = "write include = [${toJSON value}], and delete the flag";
            }
          ]
        else if asHeader != null && isOfKernel value then
          [
            {
              at = appendKey at key;
              found = "${toJSON text}, which finds no header of the kernel: a compile has only those that sources include";
              want = "an #include of ${toJSON value} in the sources";
              fix = "write it there, and delete the flag";
            }
          ]
        else
          [ ];
    in
    lists.unique (concatLists (genList warningAt (length flags)));
}
