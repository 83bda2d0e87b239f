"""Renews files of pins: a program of maintainers, no part of the command line."""
