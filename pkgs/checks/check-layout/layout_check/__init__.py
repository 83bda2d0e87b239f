"""Checks the files of a variant: what is there, what must not be, and what the metadata says."""
