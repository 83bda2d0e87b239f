"""Removes secrets from texts that people read: tokens, logins and signatures in addresses.

Only what can be a secret is removed. File names, identifiers and addresses of a message have to
stay usable.
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

# Variables whose values are secrets on this machine, wherever they show up.
VARIABLES: Final = (
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "CI_JOB_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "SIGSTORE_ID_TOKEN",
)
# A shorter value would match words of ordinary text.
SHORTEST: Final = 8

# The Hub's tokens have 34 letters and digits behind `hf_`. Identifiers in C++ are shorter, or
# have more underscores.
_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}(?![A-Za-z0-9_])")
_HEADER: Final = re.compile(r"(authorization: *(?:bearer|basic) +)[^\s'\"]+", re.IGNORECASE)
# A token may stand alone as the user of an http address; ssh://git@host has no secret.
_LOGIN: Final = re.compile(
    r"(https?://)[^/?#\s'\"\\]+@|([a-z][a-z0-9+.-]*://)[^/?#\s'\"\\:]*:[^/?#\s'\"\\]+@",
    re.IGNORECASE,
)
_PARAMETER: Final = re.compile(
    r"([?&;](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|AWSAccessKeyId|Key-Pair-Id"
    r"|Policy|Signature|sig|(?:access_|private_)?token|api_?key|password|(?:client_)?secret)=)"
    r"[^&;\s'\"#\\]+",
    re.IGNORECASE,
)


@cache
def _read_token(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _known_secrets() -> list[str]:
    """Return the secrets of this machine: values of variables, and the token that the Hub keeps."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    home = Path(os.environ.get("HF_HOME") or cache)
    file = Path(os.environ.get("HF_TOKEN_PATH") or home / "token")
    values = [os.environ.get(name, "").strip() for name in VARIABLES]
    values.append(_read_token(Path(os.path.expanduser(file))))  # noqa: PTH111 (no home: as it is)
    return [value for value in values if len(value) >= SHORTEST]


def redact(text: str) -> str:
    """Return a text without secrets."""
    for secret in _known_secrets():
        text = text.replace(secret, "***")
    text = _HEADER.sub(r"\1***", _TOKEN.sub("***", text))
    # The second group takes no part where the first one matches.
    return _PARAMETER.sub(r"\1***", _LOGIN.sub(lambda found: found[1] or found[2], text))
