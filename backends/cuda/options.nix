# The options of nvcc: how a list of flags is split into options, and which steps each option concerns.
#
# `tools/bin/lock-nvcc-options` makes nvcc-options.json from `nvcc --help` of several releases. option-effects.json is
# written by hand. An option in neither file is an option of gcc, because nvcc forwards unknown options.
let
  inherit (builtins) concatMap elemAt filter fromJSON head listToAttrs match readFile substring;
  inherit (builtins) tail;

  table = (fromJSON (readFile ./nvcc-options.json)).options;
  effects = fromJSON (readFile ./option-effects.json);
  options = table // effects.undocumented;

  pair = name: value: { inherit name value; };
  # The long name by each spelling: "--optimize" for "-O" and "--optimize".
  longNames = listToAttrs (
    concatMap (long: [
      (pair long long)
      (pair options.${long}.short long)
    ]) (builtins.attrNames options)
  );
  classes = listToAttrs (concatMap (class: map (long: pair long class) class.options) effects.nvcc);

  unknown = why: { effect = "whole"; inherit why; };
  unclassified = unknown "option-effects.json does not say what it concerns";

  # The class of a word that nvcc passes to another program.
  classOfWord =
    rules: program: word:
    let
      matching = filter (rule: match rule.pattern word != null) rules;
    in
    if matching == [ ] then unknown "${program} may do anything with it" else head matching;
  gccWord = classOfWord effects.gcc "gcc";
  wordsOf = {
    "--compiler-options" = classOfWord (effects.gcc ++ effects.compiler-options) "gcc";
    "--ptxas-options" = classOfWord effects.ptxas-options "ptxas";
  };

  commaList = text: filter builtins.isString (builtins.split "," text);

  # The class of an option whose values are words of another program: the strictest class of these words.
  ofValues =
    option: values:
    let
      all = map wordsOf.${option} values;
      withEffect = effect: filter (class: class.effect == effect) all;
      strictest = concatMap withEffect [ "whole" "pass" ];
    in
    if all == [ ] then unknown "it has no value" else head (strictest ++ all);

  # An option with its words, values and class.
  describe =
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
  describeForeign = class: word: {
    option = null;
    words = [ word ];
    values = [ ];
    inherit (class) effect why;
  };

  # The first option of a list of words, and the words after it. nvcc accepts a value after "=", as the next word,
  # and, for some options of one letter, directly after the letter.
  first =
    words:
    let
      word = head words;
      parts = match "(-[^=]*)(=(.*))?" word;
      long = if parts == null then null else longNames.${elemAt parts 0} or null;
      letter = substring 0 2 word;
      one = found: { inherit found; rest = tail words; };
    in
    if long != null && options.${long}.value != "none" && elemAt parts 1 == null && tail words != [ ] then
      {
        found = describe long [ word (head (tail words)) ] (head (tail words));
        rest = tail (tail words);
      }
    else if long != null then
      one (describe long [ word ] (if elemAt parts 1 == null then null else elemAt parts 2))
    else if builtins.elem letter effects.attached && word != letter then
      one (describe longNames.${letter} [ word ] (substring 2 (-1) word))
    else if parts != null then
      one (describeForeign (gccWord word) word)
    else
      one (describeForeign (unknown "it is no option") word);

  readOptions =
    words:
    if words == [ ] then
      [ ]
    else
      let
        option = first words;
      in
      [ option.found ] ++ readOptions option.rest;
in
/**
  The options in a list of flags of nvcc.

  `option` is the long name, or null for an option of gcc; `words` are the flags as the author wrote them; `values` are
  the values, split at commas if nvcc takes a list. `effect` is one of

  - `"pass"`: each pass can be compiled alone with it;
  - `"packing"`: it concerns how the code of all targets is packed;
  - `"link"`, `"threads"`: it is left out;
  - `"targets"`: a kernel must not have it;
  - `"whole"`: all targets of the unit have to be compiled together.

  `why` is the reason.

  # Example

  ```nix
  readOptions [ "-O" "3" "-rdc=true" ]
  => [
    { option = "--optimize"; words = [ "-O" "3" ]; values = [ "3" ]; effect = "pass"; … }
    { option = "--relocatable-device-code"; words = [ "-rdc=true" ]; effect = "whole"; … }
  ]
  ```

  Type: readOptions :: [String] -> [{ option :: String | Null; words :: [String]; values :: [String]; effect :: String;
    why :: String; }]
*/
readOptions
