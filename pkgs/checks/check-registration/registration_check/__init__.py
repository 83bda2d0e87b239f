"""Checks that Python code registers operators only in the namespace of its own build."""
