import statistics  # noqa: F401  (what a case looks for)
