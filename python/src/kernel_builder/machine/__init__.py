"""The machine that this runs on: its processes, git, cores and devices."""
