"""Ask the Hub what an author may like to know; without an answer, commands go on."""

from contextlib import suppress

import httpx2

from kernel_builder.hub.client import KERNEL, connect, list_remote


def find_user() -> str:
    """Return the name of the user of the token, or nothing without an answer of the Hub."""
    with suppress(httpx2.HTTPError, OSError, RuntimeError, ValueError):
        return str(connect().whoami()["name"])
    return ""


def measure_variants(repo_id: str, branch: str) -> dict[str, int]:
    """Return the bytes of each variant on a branch, by its name; none without an answer."""
    sizes: dict[str, int] = {}
    with suppress(httpx2.HTTPError, OSError, RuntimeError, ValueError):
        # Without a network, the library tries for a minute to list files, but asks this only once.
        hub = connect()
        hub.repo_info(repo_id, repo_type=KERNEL, timeout=20)
        for path, file in list_remote(hub, repo_id, branch).items():
            name = path.removeprefix("build/").partition("/")[0]
            sizes[name] = sizes.get(name, 0) + file.size
    return sizes
