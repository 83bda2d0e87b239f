#!/usr/bin/env bash
# By name only: Debian 11, 12 and 13 are made with debootstrap (root, a mirror of Debian, 8 GB of disk), and Python 3.11 is
# compiled in one of them. The built CPU variants of the examples are run there.
exec "$TEST_PYTHON" -m pytest -rs "$(dirname -- "$0")/../compatibility" "$@"
