"""Say what the Hub's library has met: it raises one kind of error for many causes.

causes.json has one cause a line: the types and statuses of HTTP that it has, and the message.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact


def read_status(error: BaseException) -> int:
    """Return the status of HTTP that an error is about, 0 without an answer."""
    return int(getattr(getattr(error, "response", None), "status_code", 0))


def describe(error: BaseException) -> str:
    """Return what the system or the Hub says; else what the library says, each line once."""
    for key in ("strerror", "server_message"):
        if known := [text for each in _list_chain(error) if (text := getattr(each, key, None))]:
            return redact(str(known[-1]))
    lines = redact("\n".join(map(str, _list_chain(error)))).splitlines()
    return "\n".join(dict.fromkeys(filter(None, map(str.strip, lines)))) or type(error).__name__


def explain(error: Exception, place: str, purpose: str) -> KernelBuilderError:
    """Return the error for the user; `place` and `purpose` are those of `client.retry`."""
    causes = json.loads(Path(__file__).with_name("causes.json").read_text(encoding="utf-8"))
    chain = [*_list_chain(error)]
    cause, met = next((it, each) for it in causes for each in chain if _is_of(each, it))
    status = read_status(met)
    found = (f"status {status}: " if status else "") + describe(met)
    headline = cause["headline"].format(place=place, purpose=purpose)
    return KernelBuilderError(headline, [Problem(place, found, cause["want"], cause["fix"])])


def _is_of(error: BaseException, cause: dict[str, Any]) -> bool:
    types = {each.__name__ for each in type(error).__mro__}
    return bool(types.intersection(cause["types"])) or read_status(error) in cause["statuses"]


def _list_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it was raised for."""
    while error:
        yield error
        error = error.__cause__ or error.__context__
