# `targetPython`: The Python that imports the kernel. A variant has another one if its Torch has no wheel for `python`.
{ python }: python
