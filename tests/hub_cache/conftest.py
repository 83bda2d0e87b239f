"""What the tests of the cache on the Hub share with those of several machines."""

from __future__ import annotations

from tests.distributed.conftest import kernel, machine, room  # noqa: F401  (fixtures)
