# Texts. These functions are many times faster than regular expressions.
_:
let
  inherit (builtins) any genList head match replaceStrings stringLength substring;
  self = {
    /**
      The longest text that one regular expression may match. Nix's matcher recurses for each character, and a stack of
      8 MiB, which some machines do not let Nix raise, ends at 36,000. The error names no file.
    */
    longestMatch = 15000;

    /**
      Whether a text may have `longestMatch` characters in a row without one of these words. The answer is right if it is
      false, and no split of the text costs as little.

      Type: mayRunOn :: [String] -> String -> Bool
    */
    mayRunOn =
      words: text:
      let
        size = self.longestMatch / 2;
        lacks = index: !self.mentions words (substring (index * size) size text);
      in
      any lacks (genList (index: index) (stringLength text / size));

    /**
      The first group of a pattern that a text matches, else `otherwise`.

      # Example

      ```nix
      capture "" "(.*)/[^/]*" "a/b/c.h"
      => "a/b"
      ```

      Type: capture :: a -> String -> String -> String | a
    */
    capture =
      otherwise: pattern: text:
      let
        groups = match pattern text;
      in
      if groups == null then otherwise else head groups;

    /**
      Whether a text begins with `prefix`.

      Type: hasPrefix :: String -> String -> Bool
    */
    hasPrefix = prefix: text: substring 0 (stringLength prefix) text == prefix;

    /**
      Whether a text ends with `suffix`.

      Type: hasSuffix :: String -> String -> Bool
    */
    hasSuffix =
      suffix: text:
      let
        extra = stringLength text - stringLength suffix;
      in
      extra >= 0 && substring extra (stringLength suffix) text == suffix;

    /**
      Whether a text has one of these words.

      Type: mentions :: [String] -> String -> Bool
    */
    mentions = words: text: replaceStrings words (map (_: "") words) text != text;

    /**
      A text without spaces, tabs and carriage returns.

      Type: removeSpaces :: String -> String
    */
    removeSpaces = replaceStrings [ " " "\t" "\r" ] [ "" "" "" ];
  };
in
self
