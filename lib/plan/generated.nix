# Files in a kernel's folder that `kernel-builder create-pyproject` wrote. A build makes its own.
{ values, ... }:
let
  mark = "Made by kernel-builder create-pyproject";
in
{
  /**
    Whether a file begins with the mark of `create-pyproject`, in a comment of Python or C++.

    Type: isGenerated :: Path -> Bool
  */
  isGenerated =
    path:
    let
      text = builtins.readFile path;
    in
    builtins.any (comment: values.texts.hasPrefix "${comment} ${mark}" text) [ "#" "//" ];
}
