"""The rules that programs on the user's machine write files through one module, or their own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.boundaries.source_tree import files_of

PACKAGE: Final = "python/src/kernel_builder"
# Programs outside of the sandbox; all others of packages write their own output alone.
PLACES: Final = (PACKAGE, "pkgs/author/lock-kernels", "pkgs/author/variant-program")
# Templates are files of a kernel, and builds run the import check.
LEFT_OUT: Final = (f"{PACKAGE}/templates", f"{PACKAGE}/import_check")
# Files that change others by themselves, with the reason.
WRITERS: Final = {
    f"{PACKAGE}/machine/files.py": "the module",
    f"{PACKAGE}/machine/cache.py": "the folder of the user's cache",
    f"{PACKAGE}/authoring/completion.py": "the user's cache",
    f"{PACKAGE}/variants/copy.py": "moves and removes what the module has copied into build/",
    f"{PACKAGE}/authoring/generate.py": "removes files that the module finds below a folder",
    f"{PACKAGE}/hub_cache/cache.py": "a temporary folder of its own",
    f"{PACKAGE}/mirrors/apt.py": "a temporary folder of its own",
    f"{PACKAGE}/mirrors/fetch.py": "a temporary folder of its own",
    f"{PACKAGE}/mirrors/wheels.py": "a temporary folder of its own",
    f"{PACKAGE}/trust/clones.py": "a temporary folder of its own",
    f"{PACKAGE}/publishing/benchmark_runner.py": "a file that the user named, and no link",
    "pkgs/author/lock-kernels/lock.py": "kernels.lock, as the module does; it has no such module",
    "pkgs/author/variant-program/run_tests.py": "a temporary folder of its own",
}
# Scripts outside of the sandbox. Variables of the paths that they write to, and whose these are.
SCRIPTS: Final = (
    "pkgs/author/choose-program",
    "pkgs/author/kernel-shell",
    "pkgs/author/variant-program",
)
SCRIPT_WRITES: Final = {
    "pkgs/author/choose-program/choose.sh": {"root": "a temporary folder of its own"},
    "pkgs/author/kernel-shell/activate.sh": {
        "place": "the user's cache",
        "folder": "what a link leads to",
    },
    "pkgs/author/kernel-shell/make-venv.sh": {
        **dict.fromkeys(("folder", "mark", "program"), "the user's cache"),
        "kernel": ".venv, a folder that the script has just made",
    },
    "pkgs/author/variant-program/program.sh": {
        "home": "a temporary folder of its own",
        "share": "what a link leads to",
    },
}
_SCRIPT_WRITE: Final = re.compile(
    r"(?:(?<![0-9&<])>>?(?!&)|\b(?:chmod|cp|install|ln|mkdir|mv|rm|rmdir|tee|touch)\b)([^|;&\n]*)"
)
METHODS: Final = re.compile(
    r"l?chmod|hardlink_to|mkdir|rename|rmdir|symlink_to|touch|unlink|write_(bytes|text)"
)
FUNCTIONS: Final = re.compile(
    r"l?chmod|l?chown|copy|copy2|copyfile|copyfileobj|copytree|f?truncate|link|makedirs|mkdir"
    r"|mkfifo|mknod|move|removedirs|remove|renames?|replace|rmdir|rmtree|symlink|unlink|utime"
)
MODULES: Final = {"os", "shutil"}


def _is_write(call: ast.Call, functions: set[str]) -> object:
    """Return whether a call may write; `functions` are those that the file imports by name."""
    words = [ast.unparse(word) for word in (*call.args, *(each.value for each in call.keywords))]
    text = " ".join(words)
    if isinstance(call.func, ast.Name):
        name, owner = call.func.id, "os" if call.func.id in functions else ""
    elif isinstance(call.func, ast.Attribute):
        name, owner = call.func.attr, ast.unparse(call.func.value)
    else:
        return False
    if name == "open":
        modes = [{*word[1:-1]} for word in words if word[0] == "'"]
        to_write = any({*"wax+"} & mode and mode <= {*"rwaxbt+"} for mode in modes)
        return to_write or (re.search(r"O_(WRONLY|RDWR|CREAT)", text) and "devnull" not in text)
    if owner in MODULES:
        return FUNCTIONS.fullmatch(name)
    # The method of a text takes two words, the function of data names.
    is_path = name == "replace" and len(call.args) == 1 and not call.keywords
    return isinstance(call.func, ast.Attribute) and (METHODS.fullmatch(name) or is_path)


def files_are_written_in_one_place(root: Path) -> Iterator[str]:
    """Python that runs on the user's machine writes through machine/files.py."""
    for file in files_of(root):
        if file.suffix != ".py" or not file.is_below(*PLACES) or file.is_below(*LEFT_OUT):
            continue
        nodes = [*ast.walk(ast.parse(file.text or ""))]
        imports = [each for each in nodes if isinstance(each, ast.ImportFrom)]
        named = {name.name for each in imports if each.module in MODULES for name in each.names}
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        found = [each for each in calls if _is_write(each, named)]
        if file.name not in WRITERS:
            yield from (
                f"{file.name}: writes by itself: {ast.unparse(each)[:80]}" for each in found
            )
        elif not found:
            yield f"{file.name}: writes nothing, and is no exception"


def scripts_write_to_own_places(root: Path) -> Iterator[str]:
    """Scripts that run on the user's machine write to folders that no kernel can have made."""
    for file in files_of(root):
        if not file.is_below(*SCRIPTS) or file.suffix != ".sh" or file.path.name == "install.sh":
            continue
        code = re.sub(r"(?m)(^|\s)#.*", "", file.text or "")
        words = " ".join(_SCRIPT_WRITE.findall(code))
        found = set(re.findall(r"(?:^|\s)[\"']?\$\{?(\w+)", words))
        known = SCRIPT_WRITES.get(file.name, {})
        yield from (f"{file.name}: writes to ${name}" for name in sorted(found - known.keys()))
        yield from (f"{file.name}: writes to no ${name}" for name in sorted(known.keys() - found))
