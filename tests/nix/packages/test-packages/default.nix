# Pinned Python packages that only tests and docs use. They take the dependencies that the package set has from there.
{ fromIndex }: fromIndex { pins = ./pins.json; }
