"""Checks that the binaries of a variant load on every machine that the policy speaks of."""
