"""Finds the parts of C++ text that a draft replaces: calls, arguments, blocks, statements.

What they mean is the compiler's to say (registrations.py).
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_TOKEN: Final = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|R"(\w{0,16})\(.*?(?:\)\1"|\Z)|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n]){1,12}\''
    r"|(?<=\w)<[\w:\s,&*<>]{1,200}?>(?=\s*[(),])|^[ \t]*#(?:[^\n\\]|\\.)*|[()\[\]{};,]",
    re.DOTALL | re.MULTILINE,
)
_BLOCK: Final = re.compile(
    r"\b(PYBIND11_MODULE|(?:STABLE_)?TORCH_LIBRARY(?:_IMPL|_FRAGMENT)?(?:_EXPAND)?)\s*(\()"
    # Torch's own namespaces stay.
    r"(?!\s*(?:_|aten|prims?|quantized)\b)"
    r"|^(?:[^\n;{}#/]*=[ \t]*\n)?[^\n;{}#/]*\bRegisterOperators\b[^;{]*?(?=\.op\()",
    re.MULTILINE,
)
_DIRECTIVE: Final = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*\n?", re.MULTILINE | re.DOTALL)
# Macros that the build's own registration.h defines.
_MACRO: Final = re.compile(
    r"[ \t]*#[ \t]*define[ \t]+((?:STABLE_)?TORCH_LIBRARY\w*_EXPAND|REGISTER_EXTENSION)\b"
)


def find_tokens(text: str, start: int) -> Iterator[tuple[int, str, int]]:
    """Yield place, text and depth of each bracket, comma, semicolon and preprocessor line."""
    depth = 0
    for match in _TOKEN.finditer(text, start):
        word = match[0].lstrip()
        if word[0] in ")]}":
            depth -= 1
        if word[0] in "()[]{};,#":
            yield match.end() - len(word), word, depth
        if word[0] in "([{":
            depth += 1


def find_end(text: str, start: int) -> int:
    """Return the position behind the bracket that closes the one at `start`."""
    ends = (at + 1 for at, word, depth in find_tokens(text, start) if not depth and word in ")]}")
    return next(ends, len(text))


def split_arguments(text: str, start: int) -> tuple[list[str], int]:
    """Return the arguments between the brackets at `start`, and the position behind them."""
    end = find_end(text, start)
    commas = [
        at for at, word, depth in find_tokens(text[:end], start) if word == "," and depth == 1
    ]
    places = [start, *commas, end - 1]
    return [text[at + 1 : to].strip() for at, to in pairwise(places)], end


def split_statements(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the statements of a block, without the lines of its preprocessor.

    The body of a loop is a part of its statement.
    """
    found, at = [], start + 1
    for place, word, depth in find_tokens(text[: end - 1], start + 1):
        if depth:
            continue
        if word[0] == "#":
            at = place + len(word)
        elif word in ";}":
            found.append((at, place + 1))
            at = place + 1
    return [(begin + len(text[begin:to]) - len(text[begin:to].lstrip()), to) for begin, to in found]


def find_macros(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the definitions of macros that registration.h has, with their names."""
    for match in _DIRECTIVE.finditer(text):
        if own := _MACRO.match(match[0]):
            yield match, own[1]


def find_blocks(text: str) -> list[re.Match[str]]:
    """Return the blocks of a file; a macro's text is none."""
    macros = [match.span() for match in _DIRECTIVE.finditer(text)]
    found = _BLOCK.finditer(text)
    return [each for each in found if not any(at <= each.start() < to for at, to in macros)]
