"""Writes names that may come from strangers: in messages, and as words of proposed commands."""

import os
import shlex
from collections.abc import Iterable

_QUOTED = (ord("'"), ord("\\"))


def quote(word: str) -> str:
    """Return a name as one word for bash, on one line, whatever it holds."""
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_escape, os.fsencode(word)))}'"


def _escape(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and byte not in _QUOTED else f"\\x{byte:02x}"


def join(words: Iterable[str]) -> str:
    """Return the words of a command as one line that bash reads."""
    return " ".join(map(quote, words))


def show(name: object) -> str:
    """Return a name or a path as it is, or quoted if it would break or hide a line of text."""
    text = str(name)
    return text if text.isprintable() else quote(text)
