"""Writes names that may come from strangers: in messages, and as words of proposed commands."""

import os
import re
import shlex
from collections.abc import Iterable


def quote(word: str) -> str:
    """Return a name as one word for bash, on one line, whatever it holds."""
    if word.isprintable():
        return shlex.quote(word)
    escaped = re.sub(rb"[^ -~]|['\\]", lambda byte: b"\\x%02x" % ord(byte[0]), os.fsencode(word))
    return f"$'{escaped.decode()}'"


def join(words: Iterable[str]) -> str:
    """Return the words of a command as one line that bash reads."""
    return " ".join(map(quote, words))


def show(name: object) -> str:
    """Return a name or a path as it is, or quoted if it would break or hide a line of text."""
    text = str(name)
    return text if text.isprintable() else quote(text)
