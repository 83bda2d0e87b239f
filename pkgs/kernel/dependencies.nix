# What `depends` may name besides Torch: what backends bring. A kernel's own flake adds to it
# with an overlay.
{ backends }:
builtins.foldl' (all: backend: all // backend.dependencies) { } (builtins.attrValues backends)
