# Validation as data: a check returns a list of problems, and `[ ]` means success.
#
# A problem is `{ at; found; want; fix; }`: the place, the value there, the values that are allowed,
# and what to do. Checks compose with `++`, and tests read problems without an error. The public
# functions end in `throwProblems`, which throws all problems at once.
{ values, messages, ... }:
let
  inherit (builtins) attrNames concatLists concatStringsSep elem filter fromJSON genList elemAt isString readFile;
  inherit (builtins) head length match replaceStrings toJSON typeOf;
  inherit (values.lists) optional;
  inherit (messages.spelling) findClosestWord;

  # Further lines of a value are indented, so that none of them looks like another field.
  renderProblem =
    { at, found, want, fix }:
    let
      indent = replaceStrings [ "\n" ] [ "\n       " ];
    in
    ''
      at     ${indent at}
      found  ${indent found}
      want   ${indent want}
      fix    ${indent fix}'';

  # Words of other build systems, with what to write instead.
  hints = fromJSON (readFile ./hints.json);

  didYouMean =
    { candidates, otherwise }:
    word:
    let
      guess = findClosestWord { inherit candidates; } word;
    in
    if !isString word then
      otherwise
    else
      hints.${word} or (if guess == null then otherwise else "did you mean ${toJSON guess}?");

  self = {
    /**
      Append a key to a dotted path, quoted where TOML would quote it.

      # Example

      ```nix
      appendKey "kernel" "my.part"
      => "kernel.\"my.part\""
      ```

      Type: appendKey :: String -> String -> String
    */
    appendKey =
      path: key:
      let
        written = if match "[A-Za-z0-9_-]+" key == null then toJSON key else key;
      in
      if path == "" then written else "${path}.${written}";

    /**
      Format any value for a message. Unlike toJSON, this accepts functions and does not copy paths
      to the store.

      # Example

      ```nix
      showValue { repo-id = "a/b"; }
      => "{ repo-id = \"a/b\" }"
      ```

      Type: showValue :: a -> String
    */
    showValue =
      value:
      let
        field = name: "${self.appendKey "" name} = ${self.showValue value.${name}}";
        writers = {
          lambda = "a function";
          list = "[${concatStringsSep ", " (map self.showValue value)}]";
          null = "nothing";
          path = toString value;
          set =
            if value.type or null == "derivation" then
              "a derivation"
            else
              "{ ${concatStringsSep ", " (map field (attrNames value))} }";
        };
      in
      writers.${typeOf value} or (toJSON value);

    /**
      The text "one of …" for a list of allowed values.

      Type: listChoices :: [a] -> String
    */
    listChoices =
      allowed:
      let
        quoted = concatStringsSep ", " (map toJSON allowed);
      in
      if length allowed == 1 then quoted else "one of ${quoted}";

    /**
      Check that `value` is one of `allowed`. The fix proposes the nearest spelling, or says `otherwise`.

      Type: checkChoice :: { at :: String; allowed :: [String]; otherwise :: String ? (write one); } -> a -> [Problem]
    */
    checkChoice =
      { at, allowed, otherwise ? if length allowed == 1 then "write that" else "write one of them" }:
      value:
      optional (!elem value allowed) {
        inherit at;
        found = self.showValue value;
        want = self.listChoices allowed;
        fix = didYouMean {
          inherit otherwise;
          candidates = allowed;
        } value;
      };

    /**
      Check that an attribute set has only keys of `known`, so that a typo is an error and not an
      ignored option.

      Type: checkKeys :: { at :: String; known :: [String]; } -> AttrSet -> [Problem]
    */
    checkKeys =
      { at, known }:
      set:
      map (key: {
        at = self.appendKey at key;
        found = "an unknown key";
        want = self.listChoices known;
        fix = didYouMean {
          candidates = known;
          otherwise = "correct the spelling or delete the key";
        } key;
      }) (filter (key: !elem key known) (attrNames set));

    /**
      The required keys that an attribute set lacks. A misspelt one is not missing: `checkKeys` says how to write it,
      and one mistake has one problem.

      # Example

      ```nix
      listMissingKeys { known = [ "name" "version" ]; required = [ "name" "version" ]; } { nmae = "a"; }
      => [ "version" ]
      ```

      Type: listMissingKeys :: { known :: [String]; required :: [String]; } -> AttrSet -> [String]
    */
    listMissingKeys =
      { known, required }:
      set:
      let
        unknown = filter (key: !elem key known) (attrNames set);
        # A hint begins with the key to write: "write `src`".
        keyOf = hint: head (match "write `([a-z-]+)`.*|.*" hint);
        nearest = findClosestWord { candidates = known; };
        meant = map (key: if hints ? ${key} then keyOf hints.${key} else nearest key) unknown;
      in
      filter (key: !(set ? ${key} || elem key meant)) required;

    /**
      Check that a string matches a regular expression; `want` is the expression in words.

      Type: checkPattern :: { at :: String; pattern :: String; want :: String; fix :: String; } -> String -> [Problem]
    */
    checkPattern =
      { at, pattern, want, fix }:
      value:
      optional (match pattern value == null) { inherit at want fix; found = self.showValue value; };

    /**
      Apply a check to each element of a list. Its arguments are the element's place (`at[0]`, `at[1]`,
      …) and the element.

      Type: checkElements :: String -> (String -> a -> [Problem]) -> [a] -> [Problem]
    */
    checkElements =
      at: check: list:
      concatLists (
        genList (index: check "${at}[${toString index}]" (elemAt list index)) (length list)
      );

    /**
      Format problems for people, without a headline.

      Type: renderProblems :: [Problem] -> String
    */
    renderProblems = problems: concatStringsSep "\n\n" (map renderProblem problems);

    /**
      Return `value` if there are no problems, and throw all of them otherwise. `headline` says what
      could not be done.

      Type: throwProblems :: String -> [Problem] -> a -> a
    */
    throwProblems =
      headline: problems: value:
      let
        count = length problems;
        plural = if count == 1 then "" else "s";
      in
      if count == 0 then
        value
      else
        throw "${headline} (${toString count} problem${plural})\n\n${self.renderProblems problems}";

    /**
      Throw one problem.

      Type: throwProblem :: String -> Problem -> a
    */
    throwProblem = headline: problem: self.throwProblems headline [ problem ] null;
  };
in
self
