"""An extra: what publishers of many kernels need around a release."""
