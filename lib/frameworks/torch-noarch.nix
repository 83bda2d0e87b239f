# Kernels without compiled code, such as Triton kernels.
_: { folder = "torch-ext"; isCompiled = false; }
