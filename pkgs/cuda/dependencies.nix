# What `depends` may name besides Torch: a kernel's own flake adds to it with an overlay.
{ cutlass }: cutlass
