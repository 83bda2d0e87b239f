# Validation as data: a check returns a list of problems, and `[ ]` is success.
#
# Checks compose with `++`, tests read problems without a throw, and `orThrow` turns
# them into an error, where somebody asks for what they are problems of. A problem
# is `{ at; found; want; fix; }`: where, what is there, what may be there, and
# what to do about it.
{ values, messages, ... }:
let
  inherit (builtins)
    attrNames
    concatLists
    concatStringsSep
    elem
    filter
    genList
    elemAt
    isString
    length
    match
    replaceStrings
    toJSON
    typeOf
    ;
  inherit (values.lists) optionals;
  inherit (messages.spelling) findClosest;

  # Further lines stand under the first, so that no line of a value can pass for another field.
  renderOne =
    { at, found, want, fix }:
    let
      set = replaceStrings [ "\n" ] [ "\n       " ];
    in
    ''
      at     ${set at}
      found  ${set found}
      want   ${set want}
      fix    ${set fix}'';

  didYouMean =
    { candidates, otherwise }:
    word:
    let
      guess = if isString word then findClosest { inherit candidates; } word else null;
    in
    if guess == null then otherwise else "did you mean ${toJSON guess}?";

  self = {
    /**
      Append a key to a dotted path, quoted where TOML would quote it.

      # Example

      ```nix
      appendKey "kernel" "my.part"
      => "kernel.\"my.part\""
      ```

      # Type

      ```
      appendKey :: String -> String -> String
      ```
    */
    appendKey =
      path: key:
      let
        written = if match "[A-Za-z0-9_-]+" key == null then toJSON key else key;
      in
      if path == "" then written else "${path}.${written}";

    /**
      Write any value for a message. Unlike toJSON it takes functions, and does
      not copy paths into the store.

      # Example

      ```nix
      showValue { repo-id = "a/b"; }
      => "{ repo-id = \"a/b\" }"
      ```

      # Type

      ```
      showValue :: a -> String
      ```
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
      Say that a value must be one of a few.

      # Type

      ```
      listChoices :: [a] -> String
      ```
    */
    listChoices =
      allowed:
      let
        quoted = concatStringsSep ", " (map toJSON allowed);
      in
      if length allowed == 1 then quoted else "one of ${quoted}";

    /**
      Check that `value` is one of `allowed`, and guess which one was meant.

      # Type

      ```
      checkChoice :: { at :: String; allowed :: [String]; } -> a -> [Problem]
      ```
    */
    checkChoice =
      { at, allowed }:
      value:
      optionals (!elem value allowed) [
        {
          inherit at;
          found = self.showValue value;
          want = self.listChoices allowed;
          fix = didYouMean {
            candidates = allowed;
            otherwise = if length allowed == 1 then "write that" else "write one of them";
          } value;
        }
      ];

    /**
      Check that an attribute set has no keys outside `known`, so that a typo is
      an error instead of an option that is silently ignored.

      # Type

      ```
      checkKeys :: { at :: String; known :: [String]; } -> AttrSet -> [Problem]
      ```
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
      Check that a string has a form, given as a regular expression.

      # Type

      ```
      checkPattern :: { at :: String; pattern :: String; want :: String; fix :: String; } -> String -> [Problem]
      ```
    */
    checkPattern =
      { at, pattern, want, fix }:
      value:
      optionals (match pattern value == null) [
        {
          inherit at want fix;
          found = self.showValue value;
        }
      ];

    /**
      Apply a check to every element of a list; the check gets the element's
      place (`at[0]`, `at[1]`, …) and the element.

      # Type

      ```
      checkEach :: { at :: String; } -> (String -> a -> [Problem]) -> [a] -> [Problem]
      ```
    */
    checkEach =
      { at }:
      check: list:
      concatLists (
        genList (index: check "${at}[${toString index}]" (elemAt list index)) (length list)
      );

    /**
      Check that no element occurs twice in a list.

      # Type

      ```
      checkRepeats :: { at :: String; } -> [String] -> [Problem]
      ```
    */
    checkRepeats =
      { at }:
      list:
      let
        isRepeat = index: elem (elemAt list index) (genList (elemAt list) index);
      in
      map (index: {
        at = "${at}[${toString index}]";
        found = "${toJSON (elemAt list index)} for the second time";
        want = "every entry once";
        fix = "delete one of the two";
      }) (filter isRepeat (genList (index: index) (length list)));

    /**
      Write problems in the form that people read, without a headline.

      # Type

      ```
      renderProblems :: [Problem] -> String
      ```
    */
    renderProblems = problems: concatStringsSep "\n\n" (map renderOne problems);

    /**
      Return `value` when there are no problems; otherwise throw all of them at
      once, under a headline that says what could not be done.

      # Type

      ```
      throwProblems :: String -> [Problem] -> a -> a
      ```
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

      # Type

      ```
      throwProblem :: String -> Problem -> a
      ```
    */
    throwProblem = headline: problem: self.throwProblems headline [ problem ] null;
  };
in
self
