"""Uploads kernels to the Hub, so that it can be repeated, broken off and done by many at once.

Only `client`, `failures` and `upload` import the Hub's library; the rest works without it.
"""
