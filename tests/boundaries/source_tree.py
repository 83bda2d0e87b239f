"""The files of a source tree, and Nix code without what only looks like code."""

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# Files that git ignores, because tools make them.
IGNORED = re.compile(r"\.git|result(-.*)?|build-ext|\.venv|__pycache__|\..*_cache|.*\.egg-info")


@dataclass(frozen=True)
class File:
    """One file; `name` is relative to the root of its tree."""

    name: str
    path: Path

    @property
    def suffix(self) -> str:
        """The ending of its name, with the dot."""
        return self.path.suffix

    @cached_property
    def text(self) -> str | None:
        """Its content; null for a file that is not text."""
        try:
            return self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return None

    @cached_property
    def code(self) -> str:
        """Nix code without comments, with each string left as `""`."""
        return split_nix(self.text or "")[0]

    @cached_property
    def strings(self) -> list[str]:
        """The strings of Nix code."""
        return split_nix(self.text or "")[1]

    @cached_property
    def uncommented(self) -> str:
        """Nix code without comments."""
        return re.sub(r"#[^\n]*|/\*.*?\*/", "", self.text or "", flags=re.DOTALL)

    @property
    def is_package(self) -> bool:
        """Say whether the file belongs to the package set."""
        return re.match(r"pkgs/|backends/[^/]+/pkgs/", self.name) is not None

    def is_below(self, *folders: str) -> bool:
        """Say whether the file lies in one of these folders."""
        return any(self.name.startswith(f"{folder}/") for folder in folders)


def files_of(root: Path) -> Iterator[File]:
    """Yield the files of a tree that git would keep, in order."""

    def below(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if IGNORED.fullmatch(path.name):
                continue
            if path.is_dir() and not path.is_symlink():
                yield from below(path)
            elif path.is_file() and path.suffix != ".pyc":
                yield path

    for path in below(root):
        yield File(path.relative_to(root).as_posix(), path)


def nix_files(root: Path) -> Iterator[File]:
    """Yield the Nix files of a tree."""
    return (file for file in files_of(root) if file.suffix == ".nix")


_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*|/\*.*?\*/)
      | (?P<text>"|'')
      | (?P<open>\$?\{)
      | (?P<close>\})
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_IN_TEXT = {
    '"': re.compile(r'(?P<escape>\\.|\$\$)|(?P<end>")|(?P<open>\$\{)|.', re.DOTALL),
    "''": re.compile(r"(?P<escape>''(?:\$|'|\\.)|\$\$)|(?P<end>'')|(?P<open>\$\{)|.", re.DOTALL),
}


def split_nix(text: str) -> tuple[str, list[str]]:
    """Return Nix code with comments gone and each string left as `""`, and the strings.

    An interpolation `${…}` inside a string is code; of it, the string itself keeps `${}`.
    """
    code: list[str] = []
    strings: list[str] = []
    # Open brackets and strings: "{", or a string as its quote and its parts.
    stack: list[tuple[str, list[str]]] = []
    at = 0
    while at < len(text):
        quote, parts = stack[-1] if stack else ("{", [])
        if quote == "{":
            found = _TOKEN.match(text, at)
            assert found is not None
            if found["text"]:
                stack.append((found["text"], []))
            elif found["comment"]:
                code.append(" ")
            else:
                if found["open"]:
                    stack.append(("{", []))
                elif found["close"] and stack:
                    stack.pop()
                code.append(found[0])
        else:
            found = _IN_TEXT[quote].match(text, at)
            assert found is not None
            if found["end"]:
                stack.pop()
                strings.append("".join(parts))
                code.append('""')
            elif found["open"]:
                stack.append(("{", []))
                code.append(" ${")
                parts.append("${}")
            else:
                parts.append(found[0])
        at = found.end()
    return "".join(code), strings


def code_of(file: File) -> str:
    """Return a file without its comments, which may give examples."""
    text = file.text or ""
    if file.suffix == ".nix":
        code, strings = split_nix(text)
        return "\n".join((code, *strings))
    if file.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        kept = [token.string for token in tokens if token.type != tokenize.COMMENT]
        return "\n".join(word for word in kept if not word.startswith('"""'))
    if file.suffix == ".sh":
        return re.sub(r"(?m)^\s*#.*$", "", text)
    return text
