"""Pinned sources: which are missing, and how they come into the store."""
