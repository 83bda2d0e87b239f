# Version strings such as "2.13.0".
#
# Bounds are inclusive and as precise as they are written: at most "2.12" admits 2.12.1. Authors may write spaces around
# a version and zeros before its numbers; `readVersion` removes them, and no other function expects them.
_:
let
  inherit (builtins) compareVersions concatStringsSep elemAt filter genList head isString length;
  inherit (builtins) match replaceStrings sort split splitVersion;

  # The first `count` numbers of a version; missing ones are zero.
  cut =
    count: version:
    let
      parts = splitVersion version;
      part = index: if index < length parts then elemAt parts index else "0";
    in
    concatStringsSep "." (genList part count);

  blank = "[ \t\r\n]*";
  # Nix compares larger numbers as text.
  number = "0*[0-9]{1,9}";

  compareTo = bound: version: compareVersions (cut (length (splitVersion bound)) version) bound;

  self = {
    /** A regular expression for versions: one to four numbers with dots between them, and spaces around them. */
    pattern = "${blank}${number}(\\.${number}){0,3}${blank}";

    /**
      Whether a value is a version.

      Type: isVersion :: a -> Bool
    */
    isVersion = value: isString value && match self.pattern value != null;

    /**
      A version without spaces around it and without zeros before its numbers. A bound keeps as many numbers as it
      is written with.

      # Example

      ```nix
      readVersion " 2.09"
      => "2.9"
      ```

      Type: readVersion :: String -> String
    */
    readVersion =
      version:
      let
        parts = filter isString (split "[^0-9]+" version);
        plain = part: head (match "0*(0|[1-9][0-9]*)" part);
      in
      concatStringsSep "." (map plain (filter (part: part != "") parts));

    /**
      `readVersion` of the version of a release, which has two numbers or more.

      # Example

      ```nix
      readRelease "13"
      => "13.0"
      ```

      Type: readRelease :: String -> String
    */
    readRelease =
      version:
      let
        plain = self.readVersion version;
      in
      if length (splitVersion plain) == 1 then cut 2 plain else plain;

    /**
      The first two numbers of a version.

      # Example

      ```nix
      majorMinor "2.13.0"
      => "2.13"
      ```

      Type: majorMinor :: String -> String
    */
    majorMinor = cut 2;

    /**
      The first two numbers of a version without the dot, as in names of variants.

      # Example

      ```nix
      flat "2025.3.1"
      => "20253"
      ```

      Type: flat :: String -> String
    */
    flat = version: replaceStrings [ "." ] [ "" ] (self.majorMinor version);

    /**
      Whether `version` is the bound or newer. The bound null admits every version.

      Type: atLeast :: String | Null -> String -> Bool
    */
    atLeast = bound: version: bound == null || compareTo bound version >= 0;

    /**
      Whether `version` is the bound or older. The bound null admits every version.

      Type: atMost :: String | Null -> String -> Bool
    */
    atMost = bound: version: bound == null || compareTo bound version <= 0;

    /**
      Versions in ascending order.

      Type: ascending :: [String] -> [String]
    */
    ascending = sort (a: b: compareVersions a b < 0);
  };
in
self
