# `joinLines`: A list as a text with a line for each element, from which scripts read flags and files.
{ }: builtins.concatStringsSep "\n"
