"""A real browser without a screen, for the pages that people look at."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.skipping import skip

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")


def find_browser() -> str:
    """Return the browser of this machine, or skip."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    return found or skip("no chromium to look at pages with", installable=True)


def look(browser: str, page: Path, width: int) -> tuple[dict[str, str], str]:
    """Return the `data-` attributes that scripts gave the page, and its text."""
    # No network: what is asked of another host is a page that lacks something.
    argv = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]
    more = [f"--window-size={width},900", "--dump-dom", page.as_uri()]
    done = subprocess.run([*argv, *more], capture_output=True, text=True, check=True, timeout=600)
    told = re.match(r"<!DOCTYPE html>\s*<html([^>]*)>", done.stdout)
    assert told, done.stdout[:500] + done.stderr[-2000:]
    text = re.sub(r"<(script|style).*?</\1>", "", done.stdout, flags=re.DOTALL)
    return dict(re.findall(r'data-(\w+)="([^"]*)"', told[1])), re.sub(r"<[^>]+>", " ", text)
