"""What there will be when a kernel is loaded: lists of the symbols of libraries."""

from pathlib import Path


class Provided:
    """The symbols of the libraries whose lists are in some folders."""

    def __init__(self, folders: "list[Path]") -> None:
        self.libraries: dict[str, set[str]] = {}
        for folder in folders:
            for file in sorted(folder.iterdir()):
                # The platform's list comes first, and so before what a package bundles.
                self.libraries.setdefault(file.name, set(file.read_text().splitlines()))
        self._versioned = {name for names in self.libraries.values() for name in names}
        self._names = {name.partition("@")[0] for name in self._versioned}

    def has(self, library: str) -> bool:
        """Whether the symbols of a library are known."""
        return library in self.libraries

    def offers(self, name: str, version: str = "", library: str = "") -> bool:
        """Whether a symbol is there: of a version, of a library, if they are given."""
        if not version:
            return name in self._names
        versioned = f"{name}@{version}"
        return versioned in self.libraries.get(library, self._versioned)

    def home_of(self, name: str) -> str:
        """Return the library that has the symbol, or nothing."""
        for library, names in self.libraries.items():
            if name in names:
                return library
        return ""
