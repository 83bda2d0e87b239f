"""Checks that operators are registered only under the namespace that a build has for itself."""
