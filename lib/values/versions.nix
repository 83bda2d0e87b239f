# Version strings such as "2.13.0".
#
# Bounds are inclusive and as precise as they are written: at most "2.12" admits 2.12.1.
_:
let
  inherit (builtins)
    compareVersions
    concatStringsSep
    elemAt
    genList
    isString
    length
    match
    replaceStrings
    sort
    splitVersion
    ;

  # The first `count` numbers of a version; missing ones are zero.
  cut =
    count: version:
    let
      parts = splitVersion version;
      part = index: if index < length parts then elemAt parts index else "0";
    in
    concatStringsSep "." (genList part count);

  compareTo = bound: version: compareVersions (cut (length (splitVersion bound)) version) bound;

  self = {
    /** A regular expression for versions: two or three numbers with dots between them. */
    pattern = "[0-9]+\\.[0-9]+(\\.[0-9]+)?";

    /**
      Whether a value is a version.

      # Type

      ```
      isVersion :: a -> Bool
      ```
    */
    isVersion = value: isString value && match self.pattern value != null;

    /**
      The first two numbers of a version.

      # Example

      ```nix
      majorMinor "2.13.0"
      => "2.13"
      ```

      # Type

      ```
      majorMinor :: String -> String
      ```
    */
    majorMinor = cut 2;

    /**
      The first two numbers of a version without the dot, as in names of variants.

      # Example

      ```nix
      flat "2025.3.1"
      => "20253"
      ```

      # Type

      ```
      flat :: String -> String
      ```
    */
    flat = version: replaceStrings [ "." ] [ "" ] (self.majorMinor version);

    /**
      Whether `version` is the bound or newer. The bound null admits every version.

      # Type

      ```
      atLeast :: String | Null -> String -> Bool
      ```
    */
    atLeast = bound: version: bound == null || compareTo bound version >= 0;

    /**
      Whether `version` is the bound or older. The bound null admits every version.

      # Type

      ```
      atMost :: String | Null -> String -> Bool
      ```
    */
    atMost = bound: version: bound == null || compareTo bound version <= 0;

    /**
      Versions in ascending order.

      # Type

      ```
      ascending :: [String] -> [String]
      ```
    */
    ascending = sort (a: b: compareVersions a b < 0);
  };
in
self
