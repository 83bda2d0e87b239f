"""Names that a Nix file defines and nothing in it uses, by what `nix-instantiate --parse` prints.

There every operator has its brackets and no comment is left, so tokens suffice. A name counts as
used wherever it is a variable in the file: one that has a namesake may be missed, none is
reported wrongly.
"""

import re

NAME = r"[A-Za-z_][\w'-]*"
# The computed name of an attribute is printed as `"${…}"`, around an expression.
TOKEN = re.compile(rf'"\$\{{|\}}"|"(?:\\.|[^"\\])*"|/[\w./+-]+|{NAME}|\.\.\.|==|[^\s]', re.DOTALL)
OPENS = {"(", "{", "[", '"${', "let"}
CLOSES = {")", "}", "]", '}"', "in"}


def unused(parsed: str) -> list[str]:
    """Return the names of arguments and of `let` that no expression mentions; `_…` may be so."""
    tokens = ["", *TOKEN.findall(parsed), ""]
    defined: list[str] = []
    used: set[str] = set()
    around: list[str] = []
    for before, token, after in zip(tokens, tokens[1:], tokens[2:]):
        if token in OPENS:
            around.append(token)
        elif token in CLOSES:
            around.pop()
        elif not re.fullmatch(NAME, token) or before == ".":
            continue
        elif after == ":" or (before in ("{", ",") and after in (",", "?", "}")):
            defined.append(token)
        elif after != "=":
            used.add(token)
        elif around and around[-1] == "let":
            defined.append(token)
    return [name for name in defined if name not in used and not name.startswith("_")]
