# Finds the known word that is nearest to a misspelt one.
_:
let
  inherit (builtins) concatStringsSep elemAt filter foldl' genList head isString length;
  inherit (builtins) replaceStrings sort split stringLength substring;

  characters = text: genList (index: substring index 1 text) (stringLength text);

  lower = replaceStrings (characters "ABCDEFGHIJKLMNOPQRSTUVWXYZ") (characters "abcdefghijklmnopqrstuvwxyz");

  withoutDigits = text: concatStringsSep "" (filter isString (split "[0-9]" text));

  min = a: b: if a < b then a else b;

  # The number of wrong letters to accept. It is small for short words, because most of them are near each other.
  tolerance = word: if stringLength word < 4 then 1 else if stringLength word < 9 then 2 else 3;

  # The number of single-character edits that turn one word into the other.
  measureDistance =
    left: right:
    let
      rights = characters right;
      # One row of the table of edit distances; `above` is the row before it.
      nextRow =
        above: letter:
        foldl' (
          row: other:
          let
            index = length row - 1;
            cost = if letter == other then 0 else 1;
            change = min (elemAt above index + cost) (elemAt above (index + 1) + 1);
          in
          row ++ [ (min change (elemAt row index + 1)) ]
        ) [ (head above + 1) ] rights;
      lastRow = foldl' nextRow (genList (index: index) (length rights + 1)) (characters left);
    in
    elemAt lastRow (length rights);
in
{
  /**
    A text with small letters in place of capitals.

    Type: lower :: String -> String
  */
  inherit lower;

  /**
    The candidate that is nearest to `word`, or null if none is near. Case is ignored. A candidate
    that differs only in digits is never near: `cu126` is not a typo of `cu130`.

    # Example

    ```nix
    findClosestWord { candidates = [ "cpu" "cuda" ]; } "cudaa"
    => "cuda"
    ```

    Type: findClosestWord :: { candidates :: [String]; } -> String -> String | Null
  */
  findClosestWord =
    { candidates }:
    word:
    let
      limit = tolerance word;
      lengthDiffers =
        candidate:
        let
          difference = stringLength candidate - stringLength word;
        in
        difference > limit || difference < (-limit);
      isOtherNumber =
        candidate: candidate != word && withoutDigits candidate == withoutDigits word;
      near = filter (entry: entry.distance <= limit) (
        map (candidate: {
          inherit candidate;
          distance = measureDistance (lower word) (lower candidate);
        }) (filter (candidate: !lengthDiffers candidate && !isOtherNumber candidate) candidates)
      );
    in
    if near == [ ] then null else (head (sort (a: b: a.distance < b.distance) near)).candidate;
}
