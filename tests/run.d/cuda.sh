#!/usr/bin/env bash
# CUDA: how units are taken apart and shared, and what is built of them. What builds is skipped where neither a
# CUDA toolkit nor its Torch is in the store, unless KERNEL_BUILDER_CUDA=1 is set; the skip lines say so.
exec "$TEST_PYTHON" -m pytest -rs "$(dirname -- "$0")/../cuda" "$@"
