"""Modules that all checks of a built variant share."""
