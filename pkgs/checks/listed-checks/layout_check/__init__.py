"""Checks the files of a variant: required and forbidden files, and the metadata."""
