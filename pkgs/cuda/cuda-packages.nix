# The toolkit that kernels are compiled with: none, until a CUDA variant brings its own.
{ }: { }
