"""Removes secrets from texts that people read: tokens, logins and signatures in addresses.

Only what can be a secret is removed. File names, identifiers and addresses of a message have to
stay usable.
"""

import os
import re
from typing import Final

# Variables of this name have a secret as their value, wherever it shows up.
_VARIABLE: Final = re.compile(r"[A-Z0-9_]+_(?:TOKEN|SECRET_ACCESS_KEY)")
# A shorter value would match words of ordinary text.
SHORTEST: Final = 8

# The Hub's tokens have 34 letters and digits behind `hf_`; those of a login in a browser, and those
# that expire, are longer. Identifiers in C++ are shorter, or have more underscores.
_TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9_])hf_(?:[A-Za-z0-9]{30,}(?![A-Za-z0-9_])|(?:jwt|oauth)_[A-Za-z0-9_.-]{30,})"
)
_HEADER: Final = re.compile(r"(authorization: *(?:bearer|basic) +)[^\s'\"]+", re.IGNORECASE)
# A token may stand alone as the user of an http address; ssh://git@host has no secret.
_LOGIN: Final = re.compile(
    r"(?i)(https?://)[^/?#\s'\"\\]+@|((?<=[a-z0-9+.-])://)[^/?#\s'\"\\:]*:[^/?#\s'\"\\]+@"
)
_PARAMETER: Final = re.compile(
    r"(?i)([?&;](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|AWSAccessKeyId"
    r"|Key-Pair-Id|Policy|Signature|sig|(?:access_|private_)?token|api_?key|password"
    r"|(?:client_)?secret)=)[^&;\s'\"#\\]+"
)


def redact(text: str) -> str:
    """Return a text without secrets."""
    for name in filter(_VARIABLE.fullmatch, os.environ):
        secret = os.environ[name].strip()
        text = text.replace(secret, "***") if len(secret) >= SHORTEST else text
    text = _HEADER.sub(r"\1***", _TOKEN.sub("***", text))
    # The second group takes no part where the first one matches.
    return _PARAMETER.sub(r"\1***", _LOGIN.sub(lambda found: found[1] or found[2], text))
