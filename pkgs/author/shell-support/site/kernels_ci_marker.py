"""Registers the marker `kernels_ci` with pytest, whatever the kernel's own configuration is."""

from typing import Any


def pytest_configure(config: Any) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "kernels_ci: the fast tests, which `nix run .#ci-test` runs on the built kernel")
