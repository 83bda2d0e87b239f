"""Renews pins from what the machine's own registries have."""
