# The backends whose compilers are in this set.
{ }: [
  "cpu"
  "cuda"
]
