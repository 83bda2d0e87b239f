"""Fixtures of the cache on the Hub are those of several machines."""

from tests.distributed.conftest import kernel, machine, room  # noqa: F401  (fixtures)
