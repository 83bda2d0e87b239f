# The options of nvcc: how a list of flags is divided into them, and which steps each concerns.
#
# nvcc-options.json is made of `nvcc --help` (python/bin/lock-nvcc-options) and has the options of
# all releases that were read. option-effects.json is written by hand. An option that is in neither is
# gcc's, because nvcc is told to forward unknown ones.
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    elemAt
    filter
    fromJSON
    head
    isString
    listToAttrs
    match
    readFile
    split
    substring
    tail
    ;

  table = (fromJSON (readFile ./nvcc-options.json)).options;
  effects = fromJSON (readFile ./option-effects.json);
  options = table // effects.undocumented;

  pair = name: value: { inherit name value; };
  # From each spelling to the long name: "-O" and "--optimize".
  longNames = listToAttrs (
    concatMap (long: [
      (pair long long)
      (pair options.${long}.short long)
    ]) (attrNames options)
  );
  classes = listToAttrs (concatMap (class: map (long: pair long class) class.options) effects.nvcc);

  unknown = why: {
    effect = "whole";
    inherit why;
  };
  unclassified = unknown "option-effects.json does not say what it concerns";

  # The class of a word that another program reads.
  classOfWord =
    rules: program: word:
    let
      found = filter (rule: match rule.pattern word != null) rules;
    in
    if found == [ ] then unknown "${program} may do anything with it" else head found;
  gccWord = classOfWord effects.gcc "gcc";
  wordsOf = {
    "--compiler-options" = classOfWord (effects.gcc ++ effects.compiler-options) "gcc";
    "--ptxas-options" = classOfWord effects.ptxas-options "ptxas";
  };

  commaList = text: filter isString (split "," text);

  # The class of an option whose values are another program's words: that of the strictest of them.
  ofValues =
    option: values:
    let
      all = map wordsOf.${option} values;
      withEffect = effect: filter (class: class.effect == effect) all;
      strictest = concatMap withEffect [
        "whole"
        "pass"
      ];
    in
    if all == [ ] then unknown "it has no value" else head (strictest ++ all);

  # An option with all that belongs to it.
  described =
    option: words: value:
    let
      isList = options.${option}.value == "list";
      values =
        if value == null then
          [ ]
        else if isList then
          commaList value
        else
          [ value ];
      class = classes.${option} or unclassified;
    in
    {
      inherit option words values;
      inherit (if class.effect == "values" then ofValues option values else class) effect why;
    };
  foreign = class: word: {
    option = null;
    words = [ word ];
    values = [ ];
    inherit (class) effect why;
  };

  # The first option of a list of words, and the words after it. nvcc takes values behind "=", as the
  # next word, and, after some names of one letter, without anything between.
  first =
    words:
    let
      word = head words;
      parts = match "(-[^=]*)(=(.*))?" word;
      long = if parts == null then null else longNames.${elemAt parts 0} or null;
      letter = substring 0 2 word;
      one = found: {
        inherit found;
        rest = tail words;
      };
    in
    if long != null && options.${long}.value != "none" && elemAt parts 1 == null && tail words != [ ] then
      {
        found = described long [ word (head (tail words)) ] (head (tail words));
        rest = tail (tail words);
      }
    else if long != null then
      one (described long [ word ] (if elemAt parts 1 == null then null else elemAt parts 2))
    else if elem letter effects.attached && word != letter then
      one (described longNames.${letter} [ word ] (substring 2 (-1) word))
    else if parts != null then
      one (foreign (gccWord word) word)
    else
      one (foreign (unknown "it is no option") word);

  read =
    words:
    if words == [ ] then
      [ ]
    else
      let
        option = first words;
      in
      [ option.found ] ++ read option.rest;
in
/**
  The options in a list of flags of nvcc.

  `option` is the long name, null for one of gcc's; `words` are the flags as they were given; `values` are the
  values, a list split at its commas. `effect` is one of

  - `"pass"`: a pass can be compiled alone with it;
  - `"packing"`: it is about how the code for all targets is packed;
  - `"link"`, `"threads"`: it is left out;
  - `"whole"`: the targets of the unit have to be compiled together.

  `why` is the reason for that.

  # Example

  ```nix
  read [ "-O" "3" "-rdc=true" ]
  => [
    { option = "--optimize"; words = [ "-O" "3" ]; values = [ "3" ]; effect = "pass"; … }
    { option = "--relocatable-device-code"; words = [ "-rdc=true" ]; effect = "whole"; … }
  ]
  ```

  # Type

  ```
  read :: [String] -> [{ option :: String | Null; words :: [String]; values :: [String]; effect :: String; why :: String; }]
  ```
*/
read
