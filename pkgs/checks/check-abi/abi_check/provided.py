"""The symbols that libraries provide when a kernel is loaded."""

from pathlib import Path


class Provided:
    """The symbols of the libraries whose lists are in the folders."""

    def __init__(self, folders: "list[Path]") -> None:
        self.libraries: dict[str, set[str]] = {}
        for folder in folders:
            for file in sorted(folder.iterdir()):
                # The list of the platform comes first, so it counts for a library that a package bundles, too.
                self.libraries.setdefault(file.name, set(file.read_text().splitlines()))
        self._versioned = {name for names in self.libraries.values() for name in names}
        self._names = {name.partition("@")[0] for name in self._versioned}

    def has(self, library: str) -> bool:
        """Return whether the symbols of a library are known."""
        return library in self.libraries

    def offers(self, name: str, version: str = "", library: str = "") -> bool:
        """Return whether a symbol is provided, in this version and by this library if they are given."""
        if not version:
            return name in self._names
        versioned = f"{name}@{version}"
        return versioned in self.libraries.get(library, self._versioned)

    def home_of(self, name: str) -> str:
        """Return the library that has the symbol, or an empty string."""
        for library, names in self.libraries.items():
            if name in names:
                return library
        return ""
