{ toml, ... }:
let
  inherit (toml) names tokens;
  accepts = text: {
    expr = toml.problems text;
    expected = [ ];
  };
  # Where and what; the other half of a problem is in eval-fail.
  refuses = text: at: found: {
    expr = map (problem: [
      problem.at
      problem.found
    ]) (toml.problems text);
    expected = [
      [
        "build.toml:${toString at}"
        found
      ]
    ];
  };
in
{
  problems = {
    empty = accepts "";
    comment = accepts "# nothing\n";
    noLastLineEnd = accepts "a = 1";
    windows = accepts "a = 1\r\n[b]\r\nc = \"d\"\r\n";
    dottedKeys = accepts "a.b.\"c d\" = 1 # end\na . e = 2\n";
    quotedTable = accepts "[kernel.\"my part\"]\nsrc = ['a.cpp']\n";
    longList = accepts "a = [\n  # first\n  \"x\", 'y',\n\n  \"z\" ,\n]\nb = 1\n";
    nestedLists = accepts "a = [[1, 2], [], [[\"x\"]]]\n";
    inlineTables = accepts "a = [{ b = 1, c = { d = [] } }, { b = 2 }, {}]\n";
    longStrings = accepts "a = \"\"\"\none \"two\" \\\"\"\"\nthree\"\"\"\nb = '''\n'x' ''\n'''\n";
    numbers = accepts "a = 1_000\nb = -3.5e-2\nc = 0xff\nd = +1\ne = inf\n";
    escapes = accepts "a = \"\\u00e9 \\n \\\\ \\u0010 \\ud7ff \\U0001F600 \\U0010ffff\"\n";
    unicodeInStrings = accepts "a = \"é\" # ü\n";
    arrayOfTables = accepts "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 1\n";
    subTableFirst = accepts "[a.b]\nc = 1\n[a]\nd = 1\n";

    noQuotes = refuses "name = relu" 1 "\"relu\"";
    versionWithoutQuotes = refuses "\n\nminver = 2.12.1" 3 "\"2.12.1\"";
    noValue = refuses "a =\nb = 1" 1 "the end of the line";
    noEquals = refuses "a 1" 1 "the end of the line";
    twoWords = refuses "a b = 1" 1 "the key a b";
    twoValues = refuses "a = 1 2" 1 "\"2\"";
    noComma = refuses "a = [\n'x'\n'y'\n]" 3 "'y'";
    noKey = refuses "= 1" 1 "\"=\"";
    openString = refuses "a = 'x\n" 1 "a string without its closing quote";
    openList = refuses "a = [1,\n\n" 4 "the end of the file";
    openTable = refuses "[general\na = 1" 1 "the end of the line";
    openLongString = refuses "a = \"\"\"\nb = 1\n" 1 "a string without its closing quote";
    wrongBracket = refuses "a = [1}" 1 "\"}\"";
    twice = refuses "a = 1\na = 2" 2 "a, which is defined above already";
    tableTwice = refuses "[a]\n[b]\n[a]" 3 "a, which is defined above already";
    tableOverValue = refuses "a.b = 1\n[a.b]" 2 "a.b, which is defined above already";
    belowAValue = refuses "a = 1\na.b = 2" 2 "a.b, which is defined above already";
    twiceInATable = refuses "a = { b = 1, b = 2 }" 1 "b, which is defined above already";
    lastCommaInATable = refuses "a = { b = 1, }" 1 "\"}\"";
    lineEndInATable = refuses "a = { b = 1,\nc = 2 }" 1 "the end of the line";
    escape = refuses "a = \"\\d\"" 1 "an escape that TOML or Nix does not know";
    nulEscape = refuses "a = \"\\u0000\"" 1 "an escape that TOML or Nix does not know";
    halfOfAPair = refuses "a = \"\\ud800\"" 1 "an escape that TOML or Nix does not know";
    outsideOfUnicode = refuses "a = \"\\U00110000\"" 1 "an escape that TOML or Nix does not know";
    blankIsNoEscape = refuses "a = \"\\ d\"" 1 "an escape that TOML or Nix does not know";
    escapeInLongString = refuses "a = \"\"\"\n\\long\"\"\"" 1 "an escape that TOML or Nix does not know";
    escapeInKey = refuses "\"a\\d\" = 1" 1 "the key \"a\\d\"";
    swallowedLineEnd = accepts "a = \"\"\"x \\ \n  y\"\"\"\n";
    date = refuses "a = 2026-01-02" 1 "the date 2026-01-02";
    character = refuses "a = 1 ; b" 1 "\";\"";
    special = refuses "é = 1" 1 "a special character";
    controlCharacter = refuses (builtins.fromJSON "\"a = 1\\n# \\u0001\"") 2 "a control character";
    loneCarriageReturn = refuses "a = 1\rb = 2" 1 "a control character";
    emptyTableName = refuses "[]" 1 "the table name \"\"";
    tooLong = refuses "a = 12345678901234567890" 1 "\"12345678901234567890\"";
  };

  tokens = {
    tokensOf = {
      expr = tokens.tokensOf "a = 'b' # c";
      expected = [
        { gap = ""; }
        { token = "a"; }
        { gap = " "; }
        { token = "="; }
        { gap = " "; }
        { token = "'b'"; }
        { gap = " "; }
        { token = "# c"; }
        { gap = ""; }
      ];
    };
    partsOf = {
      expr = tokens.partsOf "kernel.\"my part\" . src";
      expected = [
        "kernel"
        "my part"
        "src"
      ];
    };
    beforeControl = {
      expr = map tokens.beforeControl [
        "a\tb\r\n"
        "a\r"
        "a\rb"
      ];
      expected = [
        null
        null
        "a"
      ];
    };
    isKey = {
      expr = map tokens.isKey [
        "a.b"
        "a. 'b c'"
        "a b"
        "a..b"
        ""
      ];
      expected = [
        true
        true
        false
        false
        false
      ];
    };
  };

  names = {
    addValue = {
      expr = names.addValue [ "a" ] (names.addValue [ "a" ] names.none);
      expected = null;
    };
    addTable = {
      expr =
        names.addTable { isArray = false; } [ "a" ] (names.addTable { isArray = false; } [ "a" "b" ] names.none)
        != null;
      expected = true;
    };
  };
}
