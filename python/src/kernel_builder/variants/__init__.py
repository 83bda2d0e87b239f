"""From a manifest to variants that are built, linked, copied and checked."""
