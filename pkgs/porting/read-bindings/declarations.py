"""Names of parameters, which are in no type: from the preprocessed text of the units that declare a function.

The compiler has decided what is bound, and the types. What is found here only names parameters, and says which of
them are const by value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_NO_NAMES = {"auto", "bool", "char", "const", "double", "float", "int", "long", "short", "signed", "unsigned", "void"}
_NAMED = re.compile(r"(?P<type>.*[\s&*>])(?P<name>[A-Za-z_]\w*)\s*(?:\[\w*\])?", re.DOTALL)
_MARKER = re.compile(r'^# \d+ "([^"]*)".*$', re.MULTILINE)


def select_own(text: str) -> str:
    """Return the parts of a preprocessed text that come from the project, whose files have relative names."""
    parts = _MARKER.split(text)
    return "".join(part for file, part in zip(parts[1::2], parts[2::2]) if not file.startswith(("/", "<")))


def split_parameters(text: str, begin: int) -> list[str] | None:
    """Return the parameters in the parentheses that open at `begin`, None if they do not close."""
    depth, start, parts = 0, begin + 1, []
    for at in range(begin, min(len(text), begin + 10_000)):
        letter = text[at]
        depth += (letter in "([{<") - (letter in ")]}" or (letter == ">" and text[at - 1] != "-"))
        if not depth or (depth == 1 and letter == ","):
            parts.append(text[start:at].strip())
            start = at + 1
        if not depth:
            return [] if parts in ([""], ["void"]) else parts
    return None


def read_parameter(text: str) -> tuple[str, bool] | None:
    """Return the name of a parameter, and whether it is const by value; None without a name."""
    text = re.split(r"=(?!=)", text)[0].strip()
    match = _NAMED.fullmatch(text)
    plain = re.sub(r"\b(const|struct|typename)\b", " ", match["type"]).strip() if match else ""
    if not match or not plain or plain.endswith("::") or match["name"] in _NO_NAMES:
        return None
    outer = re.sub(r"^([^<]*)<.*>", r"\1", match["type"], flags=re.DOTALL)
    return match["name"], bool(re.search(r"\bconst\b", outer)) and not re.search("[&*]", outer)


class Declarations:
    """Finds the parameters of functions in the texts of units, the first of which is that of the binding."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [select_own(text) for text in texts]

    def find(self, function: str | None, name: str, types: Sequence[str]) -> list[tuple[str, bool]] | None:
        """Return the parameters of a function with these types, those of a lambda that is bound as `name` without one.

        Of overloads with as many parameters, the one is returned whose tensors are in the same places.
        """
        if function:
            plain = re.sub(r"<.*", "", function).rpartition("::")[2]
            pattern = rf"(?<![\w.>]){re.escape(plain)}\s*(?:<[^<>();]*>\s*)?\("
        else:
            pattern = rf'"{re.escape(name)}"\s*,\s*\+?\s*\[[^\]]*\]\s*\('
        found = [each for text in self._texts for each in self._candidates(text, pattern, len(types))]

        def count_differences(candidate: tuple[list[str], list[tuple[str, bool]]]) -> int:
            return sum(("Tensor" in text) != ("Tensor" in type_) for text, type_ in zip(candidate[0], types))

        return min(found, key=count_differences)[1] if found else None

    @staticmethod
    def _candidates(text: str, pattern: str, count: int) -> Iterator[tuple[list[str], list[tuple[str, bool]]]]:
        for match in re.finditer(pattern, text):
            parts = split_parameters(text, match.end() - 1)
            if parts is None or len(parts) != count:
                continue
            read = [each for each in map(read_parameter, parts) if each]
            if len({name for name, _ in read}) == count:
                yield parts, read
