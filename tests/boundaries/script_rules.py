"""The rule that no text of a kernel or of a stranger becomes a part of a shell script."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.boundaries.source_tree import files_of

# What scripts put into a text with sed apart from `$out` and `$PWD`.
PUT_IN: Final = {
    "backends/xpu/pkgs/link-device-code/link.sh": {"extensions": "names of the compiler's own"},
    "pkgs/author/kernel-shell/install.sh": {"bash": "a path of the store"},
    "pkgs/compile/collect-headers/collect.sh": {"script": "an edit that a package states"},
}
_PIECE = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s"'|;<>()\\]|\\[^\n])+)"""
_WORD = re.compile(rf"(?:[ \t]|\\\n)+({_PIECE}+)")


def _sed_scripts(code: str) -> Iterator[str]:
    """Yield the scripts of calls of sed in shell code, as they are written."""
    for call in re.finditer(r"\bsed\b", code):
        words, at = [], call.end()
        while word := _WORD.match(code, at):
            words.append(word[1])
            at = word.end()
        stated = [after for word, after in pairwise(words) if word == "-e"]
        yield from stated or [word for word in words if not word.startswith("-")][:1]


def no_text_becomes_a_script(root: Path) -> Iterator[str]:
    """Programs get texts as files, arguments or variables; sed puts in paths of the store."""
    for file in files_of(root):
        if not file.is_package or file.text is None or file.suffix in (".json", ".py"):
            continue
        # Quotes for a shell around a value.
        quotes = r"='\$\{|'\\\\''" if file.suffix == ".nix" else r"%s='%s'"
        yield from (f"{file.name}: writes {each}" for each in re.findall(quotes, file.text))
        # A shell puts nothing between single quotes.
        scripts = [re.sub(r"^'[^']*'", "", each) for each in _sed_scripts(file.text)]
        found = {name for each in scripts for name in re.findall(r"\$\{?(\w+|\()", each)}
        known = PUT_IN.get(file.name, {})
        yield from (f"{file.name}: sed puts in ${name}" for name in found - {"out", "PWD", *known})
        yield from (f"{file.name}: puts in no ${name}" for name in known.keys() - found)
