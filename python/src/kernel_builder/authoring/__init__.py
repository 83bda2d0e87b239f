"""An extra: conveniences for authors of kernels, which no build needs."""
