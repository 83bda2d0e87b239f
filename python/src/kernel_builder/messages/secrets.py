"""Takes out of a text what gives access: tokens, and signed or personal addresses."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\bhf_[A-Za-z0-9]{8,}\b|(?<=[Bb]earer )[^\s'\"]+")
# Signed addresses carry their permission behind the question mark.
_ADDRESS = re.compile(r"(https?://)(?:[^/@\s]+@)?([^\s?'\"]+)\?[^\s'\"]*")
_CREDENTIALS = re.compile(r"(https?://)[^/@\s]+@")


def redact(text: str, token: str | None = None) -> str:
    """Return a text without the token and without what gives access in addresses."""
    if token:
        text = text.replace(token, "***")
    text = _ADDRESS.sub(r"\1\2", _TOKEN.sub("***", text))
    return _CREDENTIALS.sub(r"\1", text)
