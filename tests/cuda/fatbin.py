#!/usr/bin/env python3
"""Lists the targets whose code is in built extensions: `fatbin.py FILE.so…`, one line a file."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[2] / "python" / "src"))

from kernel_builder.variants.fatbin import Image, read_images


def unpack(image: Image) -> bytes:
    """Return the code or PTX of an image as the compiler has made it."""
    if not image.whole:
        return image.payload
    import zstandard

    code = zstandard.ZstdDecompressor().decompress(image.payload, max_output_size=image.whole)
    assert len(code) == image.whole
    return code


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    """Return the code of each target of an object or extension, and PTX."""
    return sorted((image.target, unpack(image)) for image in read_images(data))


def describe(data: bytes) -> list[str]:
    """Return the targets in a file: `sm_90a` for code, `compute_80` for PTX."""
    return sorted({image.target for image in read_images(data)})


def main() -> None:
    """Print the targets of the files that were named."""
    for name in sys.argv[1:]:
        print(f"{name}: {' '.join(describe(Path(name).read_bytes())) or 'no device code'}")


if __name__ == "__main__":
    main()
