"""Checks that the binaries of a variant load on every machine that meets the policy."""
