{ commands, ... }:
{
  writeGitCommand = {
    plain = [ (commands.writeGitCommand "answer/b-c_1.cpp") "git add -N answer/b-c_1.cpp" ];
    option = [ (commands.writeGitCommand "-o.cpp") "git add -N ./-o.cpp" ];
    empty = [ (commands.writeGitCommand "") "git add -N ''" ];
    hostile = [ (commands.writeGitCommand "$(id).cpp") "git add -N '$(id).cpp'" ];
    quote = [ (commands.writeGitCommand "it's") "git add -N 'it'\"'\"'s'" ];
    newline = [ (commands.writeGitCommand "a\nb") "git add -N 'a\nb'" ];
  };
}
