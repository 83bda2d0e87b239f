"""The machine that this runs on: its processes, git, files and cores."""
