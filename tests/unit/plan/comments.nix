{ plan, ... }:
let
  inherit (plan.comments) removeComments;
  # A case for each text that stays as it is.
  unchanged = builtins.mapAttrs (
    _: text: {
      expr = removeComments text;
      expected = text;
    }
  );
in
{
  removeComments = {
    lines = {
      expr = removeComments "// a\nint x; // b\n  // c */\n\t// d\r\nint y;";
      expected = "\nint x; // b\n  // c */\n\nint y;";
    };
    blocks = {
      expr = removeComments "/* a\n b */\nint x;\n  /** c */\nint y; /* d */\n/* e */ int z;\n";
      expected = "\n\nint x;\n  \nint y; /* d */\n/* e */ int z;\n";
    };
    # The mark in a comment of the other kind is no mark.
    marksInOtherComments = {
      expr = removeComments "// a /* b\nint x;\n/* c\n// d\n*/\n";
      expected = "\nint x;\n\n\n\n";
    };
  }
  // unchanged {
    rawStrings = "auto x = R\"(\n// a\n)\";\n";
    continuedLines = "#define A \\\n/* a */ \\\n/* b */\nint x; \\\n// c\n";
    continuedComments = "// a \\\nint x;\n// b \\ \nint y;\n";
    spacesBehindTheMark = "#define A \\ \n/* b */\n";
    strings = "auto x = \"\\\n/* a */ \\\n\";\nauto y = \"*/\"; auto z = \"/*\";\n/* b */ f();\n";
    commentsBesideCode = "int x; /* a\n/* b\nint y; */\nint z;\n";
    oldMarks = "// a ??/\nint x;\n// b\n";
    nothing = "";
    # Nobody looks farther than this.
    manySpaces = "f() \\${builtins.concatStringsSep "" (builtins.genList (_: " ") 250)}/* a */\n";
  };
}
