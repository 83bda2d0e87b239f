"""Files that have an address: plain downloads with the standard library.

`urllib` takes proxies and certificates from the environment, as pip, apt and Nix do.
"""

from __future__ import annotations

import errno
import http.client
import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from kernel_builder.sources.hosts import Hosts, explain, probe
from kernel_builder.sources.refusals import Reason, Refusal, no_space, unreachable

SILENCE_SECONDS: Final = 30.0


def download(url: str, file: Path, hosts: Hosts) -> Refusal | None:
    """Save what an address serves; return why that did not work, or None."""
    host = urlsplit(url).netloc.rpartition("@")[2]
    dead = hosts.find_dead(host) or probe(url)
    if dead:
        hosts.mark_dead(host, dead)
        return unreachable(host, dead)
    request = urllib.request.Request(url, headers={"User-Agent": "kernel-builder"})
    try:
        with (
            urllib.request.urlopen(request, timeout=SILENCE_SECONDS) as answer,
            file.open("wb") as out,
        ):
            shutil.copyfileobj(answer, out, 1024 * 1024)
            promised = answer.headers.get("Content-Length")
            if promised and int(promised) != out.tell():
                return _broken_off(host)
    except urllib.error.HTTPError as error:
        return _refused(host, url, error)
    except urllib.error.URLError as error:
        why = explain(error.reason)
        hosts.mark_dead(host, why)
        return unreachable(host, why)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return no_space(str(file.parent))
        return _broken_off(host)
    except http.client.HTTPException:
        return _broken_off(host)
    return None


def _refused(host: str, url: str, error: urllib.error.HTTPError) -> Refusal:
    if error.code in (404, 410):
        return Refusal(
            Reason.GONE,
            f"{host} no longer has {url} (status {error.code})",
            "update kernel-builder, or pin a version that the server still has",
        )
    return Refusal(
        Reason.OTHER,
        f"{host} answers with status {error.code} ({error.reason})",
        "try again later; if a proxy answers in its place, let it allow this host",
    )


def _broken_off(host: str) -> Refusal:
    return Refusal(Reason.OTHER, f"{host} broke the download off", "run this again")
