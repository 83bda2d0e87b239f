"""Read and write whole files. A step of a small unit takes less time than the import of pathlib."""


def read_bytes(file: str) -> bytes:
    """Return the content of a file."""
    with open(file, "rb") as opened:
        return opened.read()


def write_bytes(file: str, content: bytes) -> None:
    """Write a file."""
    with open(file, "wb") as opened:
        opened.write(content)


def read_text(file: str) -> str:
    """Return a file's text, with any bytes."""
    return read_bytes(file).decode(errors="surrogateescape")


def write_text(file: str, text: str) -> None:
    """Write a text, as `read_text` returns it."""
    write_bytes(file, text.encode(errors="surrogateescape"))
