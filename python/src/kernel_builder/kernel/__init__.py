"""A kernel, as its folder and its evaluation describe it."""
