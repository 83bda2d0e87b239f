"""Ways to break a build.toml: each takes the text and a source of chance, and returns a text."""

import re
from collections.abc import Callable
from random import Random

VALUES = (
    '""', '"x"', '"../outside.cpp"', '"/etc/passwd"', '"torch-ext"', '"ü"', "0", "-1",
    "99999999999999999999", "1.5", "inf", "true", "[]", "[[]]", '["cpu", 1]', '["cpu", "cpu"]',
    "{}", "{ a = 1 }", '{ cuda = "2.9" }', "1979-05-27", "07:32:00", "'''x'''", '"""x\ny"""',
    '"a\\u0000b"', '"\\q"', "0x1F", "nan",
)  # fmt: skip
NAMES = (
    "src", "srcs", "backend", "backends", "depends", "name", "torch", "kernel",
    "cuda-capabilities", "édition", "a.b.c", '"a b"', "",
)  # fmt: skip
PIECES = (
    "[", "]", "{", "}", '"', "'", "=", ".", ",", "#", "\n", "\r\n", "\t", "\x00", "\x7f", "🦀",
    "\\", '"""', "[[x]]\n", "[kernel.x]\n", "[torch]\n", "[torch-noarch]\n", "[tvm-ffi]\n",
)  # fmt: skip

Mutation = Callable[[str, Random], str]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def delete_line(text: str, chance: Random) -> str:
    lines = _lines(text)
    del lines[chance.randrange(len(lines))]
    return "".join(lines)


def repeat_line(text: str, chance: Random) -> str:
    """Have a line twice, the second time anywhere."""
    lines = _lines(text)
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return "".join(lines)


def swap_lines(text: str, chance: Random) -> str:
    lines = _lines(text)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def change_value(text: str, chance: Random) -> str:
    """Give a key another value, mostly of another type."""
    keys = list(re.finditer(r"(?m)^([\w.\"-]+ *= *)(.*)$", text))
    if not keys:
        return text
    key = chance.choice(keys)
    return text[: key.start(2)] + chance.choice(VALUES) + text[key.end(2) :]


def rename_key(text: str, chance: Random) -> str:
    """Give a key or a section another name, or misspell it."""
    names = list(re.finditer(r"(?m)^\[?([\w.\"-]+)", text))
    if not names:
        return text
    name = chance.choice(names)
    old = name.group(1)
    place = chance.randrange(len(old))
    new = chance.choice(
        (*NAMES, old[:place] + old[place + 1 :], old[:place] + "x" + old[place:], old.upper())
    )
    return text[: name.start(1)] + new + text[name.end(1) :]


def change_string(text: str, chance: Random) -> str:
    strings = list(re.finditer(r'"([^"\n]*)"', text))
    if not strings:
        return text
    string = chance.choice(strings)
    old = string.group(1)
    paths = ("../" + old, "/" + old, old + "/")
    new = chance.choice((old + "x", old[1:], "", *paths, old.upper(), old + ",", " ", old * 40))
    return text[: string.start(1)] + new + text[string.end(1) :]


def insert_piece(text: str, chance: Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(PIECES) + text[place:]


def delete_piece(text: str, chance: Random) -> str:
    """Leave out up to eight characters."""
    place = chance.randrange(len(text) + 1)
    return text[:place] + text[place + chance.randint(1, 8) :]


def cut_off(text: str, chance: Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def add_key(text: str, chance: Random) -> str:
    """Put a key with a value after any line."""
    lines = _lines(text)
    lines.insert(
        chance.randrange(len(lines) + 1), f"{chance.choice(NAMES)} = {chance.choice(VALUES)}\n"
    )
    return "".join(lines)


# A mutation that is named twice happens twice as often.
MUTATIONS: tuple[Mutation, ...] = (
    delete_line, repeat_line, swap_lines, change_value, change_value, rename_key, rename_key,
    change_string, change_string, insert_piece, delete_piece, cut_off, add_key,
)  # fmt: skip


def mutate(text: str, chance: Random) -> str:
    """Apply one to three mutations."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(MUTATIONS)(text, chance)
    return text
